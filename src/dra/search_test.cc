#include "dra/search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <span>
#include <string>

#include "dra/device_cluster_for_test.h"
#include "dra/pruning.h"

namespace plimsoll::dra {
namespace {

using testing::HasSubstr;

/// Runs searches for claims on one node.
class SearchBench {
 public:
  explicit SearchBench(const std::string& devices, const std::string& counters = "") {
    compiler_.SetClass("gpu", ClassYaml("gpu", ""));
    const std::string count = counters.empty() ? "1" : "2";
    const std::string head =
        "}, spec: {driver: gpu.example.com, nodeName: n1, pool: {name: p, generation: 1, "
        "resourceSliceCount: " +
        count + "}, ";
    Observe("{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: s" + head +
            "devices: " + devices + "}}");
    if (!counters.empty()) {
      Observe("{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: t" + head +
              "sharedCounters: " + counters + "}}");
    }
    allocated_.Publish(*tracker_.FindPool("gpu.example.com", "p"));
    pools_ = GatherPools(tracker_, match::NodeView("n1", labels_), rules_.match);
  }

  void Hold(std::string_view device) {
    api::AllocationResult allocation;
    allocation.results.push_back({.driver = "gpu.example.com", .pool = "p", .device = device});
    allocated_.Set(device, &allocation);
  }

  /// Returns the devices found, or `none`, or the error.
  std::string Run(const std::vector<std::string>& specs, Search::Mode mode,
                  std::uint64_t steps_max = SearchLimits::kStepsMax) {
    std::vector<std::shared_ptr<const api::Object>> claims;
    for (std::size_t i = 0; i < specs.size(); ++i) {
      claims.push_back(ClaimYaml("c" + std::to_string(i), specs[i]));
    }
    const std::shared_ptr<CompiledClaims> compiled = compiler_.Compile(claims);
    limits_.steps_max = steps_max;
    const std::uint64_t before = search_.steps();
    const Search::Outcome outcome = search_.Run({.claims = claims,
                                                 .plans = compiled.get(),
                                                 .pools = &pools_,
                                                 .allocated = &allocated_,
                                                 .selectors = &selectors_,
                                                 .rules = &rules_,
                                                 .limits = &limits_},
                                                mode);
    steps_ = search_.steps() - before;
    if (outcome == Search::Outcome::Error) return search_.error();
    if (outcome == Search::Outcome::None) return "none";
    std::string text;
    for (const Pick& pick : search_.picks()) {
      text += std::to_string(pick.claim) + "." + std::to_string(pick.request) + "." +
              std::to_string(search_.ChosenFor(pick.claim, pick.request)) + "=" +
              std::string(pools_.devices[pick.device].device().name) + " ";
    }
    return text;
  }
  std::uint64_t steps() const { return steps_; }
  SearchLimits& limits() { return limits_; }

 private:
  void Observe(const std::string& yaml) { tracker_.Observe({nullptr, DecodeYaml(yaml)}); }

  DeviceSelectors selectors_;
  SliceTracker tracker_{selectors_, {}};
  ClaimCompiler compiler_;
  AllocatedDevices allocated_;
  api::StringMap labels_;
  match::TolerationTimeRules rules_;
  SearchLimits limits_;
  NodePools pools_;
  Search search_;
  std::uint64_t steps_ = 0;
};

/// Returns `[{name: d0, …}, …]`, where the i-th has `more(i)` added.
template <class More>
std::string ManyDevices(int count, More&& more) {
  std::string text = "[";
  for (int i = 0; i < count; ++i) {
    if (i != 0) text += ", ";
    text += "{name: d" + std::to_string(i) + more(i) + "}";
  }
  return text + "]";
}

std::string ManyRequests(int count, int devices, const std::string& more = "") {
  std::string text = "requests: [";
  for (int i = 0; i < count; ++i) {
    if (i != 0) text += ", ";
    text += Exactly("r" + std::to_string(i), devices, more);
  }
  return text + "]";
}

std::string Model(const std::string& model) {
  return ", attributes: {model: {string: " + model + "}}";
}

// Random queries.

class RandomQuestion {
 public:
  explicit RandomQuestion(std::uint64_t seed) : random_(seed) {
    has_counters_ = random_.Chance(0.3);
    devices_ = static_cast<int>(random_.Between(1, 7));
  }

  std::string Devices() {
    return ManyDevices(devices_, [this](int) { return Device(); });
  }
  std::string Counters() const {
    return has_counters_ ? "[{name: card, counters: {memory: {value: '4'}}}]" : "";
  }
  std::vector<std::string> Held() {
    std::vector<std::string> held;
    for (int i = 0; i < devices_; ++i) {
      if (random_.Chance(0.1)) held.push_back("d" + std::to_string(i));
    }
    return held;
  }
  std::vector<std::string> Claims() {
    std::vector<std::string> claims(random_.Chance(0.3) ? 2 : 1);
    for (std::string& claim : claims) claim = Claim();
    return claims;
  }

 private:
  std::string OneOf(std::initializer_list<const char*> texts) {
    return std::data(texts)[random_.Below(texts.size())];
  }
  std::string Device() {
    std::string text = ", attributes: {rank: {int: " + std::to_string(random_.Below(3)) + "}";
    if (random_.Chance(0.9)) text += ", model: {string: " + OneOf({"a", "b"}) + "}";
    text += "}";
    if (random_.Chance(0.2)) text += ", taints: [{key: hot, effect: NoSchedule}]";
    if (random_.Chance(0.2)) {
      text +=
          ", allowMultipleAllocations: true, capacity: {memory: {value: '4', requestPolicy: "
          "{default: '2', validValues: ['1', '2', '4']}}}";
    } else if (random_.Chance(0.5)) {
      text += ", capacity: {memory: {value: '" + std::to_string(random_.Between(1, 4)) + "'}}";
    }
    if (has_counters_ && random_.Chance(0.7)) {
      text += ", consumesCounters: [{counterSet: card, counters: {memory: {value: '" +
              std::to_string(random_.Between(1, 3)) + "'}}}]";
    }
    return text;
  }
  std::string Details(bool is_sub) {
    std::string text = "deviceClassName: gpu";
    if (random_.Chance(0.15)) {
      text += ", allocationMode: All";
    } else {
      text += ", allocationMode: ExactCount, count: " + OneOf({"1", "1", "1", "2", "3"});
    }
    if (random_.Chance(0.4)) {
      const std::string attribute = "device.attributes[\"gpu.example.com\"].";
      text += ", selectors: [{cel: {expression: '" +
              (random_.Chance(0.05) ? attribute + "model == \"a\""  // some devices lack it
                                    : attribute + "rank < " + OneOf({"1", "2"})) +
              "'}}]";
    }
    if (random_.Chance(0.3)) text += ", tolerations: [{operator: Exists}]";
    if (random_.Chance(0.2)) {
      text += ", capacity: {requests: {memory: '" + OneOf({"1", "2", "3"}) + "'}}";
    }
    if (!is_sub && random_.Chance(0.1)) text += ", adminAccess: true";
    return text;
  }
  std::string Claim() {
    const auto count = static_cast<int>(random_.Between(1, 3));
    std::string text = "requests: [";
    for (int i = 0; i < count; ++i) {
      if (i != 0) text += ", ";
      text += "{name: r" + std::to_string(i);
      if (random_.Chance(0.3)) {
        text += ", firstAvailable: [{name: a, " + Details(true) + "}, {name: b, " + Details(true) +
                "}]}";
      } else {
        text += ", exactly: {" + Details(false) + "}}";
      }
    }
    text += "]";
    if (random_.Chance(0.4)) {
      text += ", constraints: [{" + OneOf({"", "requests: [r0], ", "requests: [r0/a, r1], "}) +
              OneOf({"matchAttribute", "distinctAttribute"}) + ": gpu.example.com/" +
              OneOf({"model", "rank"}) + "}]";
    }
    return text;
  }

  Random random_;
  bool has_counters_ = false;
  int devices_ = 0;
};

TEST(SearchPropertyTest, PruningFindsWhatThePlainSearchFinds) {
  int found = 0;
  int none = 0;
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    RandomQuestion question(seed);
    const std::string devices = question.Devices();
    SearchBench bench(devices, question.Counters());
    for (const std::string& device : question.Held()) bench.Hold(device);
    const std::vector<std::string> claims = question.Claims();
    const std::string plain = bench.Run(claims, Search::Mode::Plain);
    ASSERT_THAT(plain, testing::Not(HasSubstr("gave up"))) << "seed " << seed;
    const std::string pruned = bench.Run(claims, Search::Mode::Pruned);
    ASSERT_EQ(plain, pruned) << "seed " << seed << "\n"
                             << devices << "\n"
                             << claims.front() << "\n"
                             << claims.back();
    found += plain.find('=') != std::string::npos ? 1 : 0;
    none += plain == "none" ? 1 : 0;
  }
  EXPECT_GT(found, 300);
  EXPECT_GT(none, 300);
}

// Queries that a plain search would not finish.

struct HostileCase {
  std::string name;
  std::string devices;
  std::string claim;
  std::string answer;  // beginning of the result
  std::uint64_t steps_max = 0;
};

std::vector<HostileCase> HostileCases() {
  const std::string match = ", constraints: [{matchAttribute: gpu.example.com/model}]";
  const std::string distinct = ", constraints: [{distinctAttribute: gpu.example.com/model}]";
  const auto same = [](int) { return std::string(); };
  const auto unique = [](int i) { return Model("m" + std::to_string(i)); };
  std::string lists = "requests: [";
  for (int i = 0; i < 8; ++i) {
    lists += (i == 0 ? "" : ", ") + ("{name: r" + std::to_string(i)) + ", firstAvailable: [";
    for (int k = 0; k < 8; ++k) {
      lists +=
          (k == 0 ? "" : ", ") + ("{name: s" + std::to_string(k)) +
          ", deviceClassName: gpu, allocationMode: ExactCount, count: " + std::to_string(8 - k) +
          "}";
    }
    lists += "]}";
  }
  lists += "]";
  return {
      {"17 of 16 alike", ManyDevices(16, same), ManyRequests(8, 2) + "", "0.0", 5000},
      {"one too many", ManyDevices(15, same), ManyRequests(8, 2), "none", 5000},
      {"no model has enough, 8 x 2 of 16",
       ManyDevices(16, [](int i) { return Model(i < 15 ? "a" : "b"); }), ManyRequests(8, 2) + match,
       "none", 5000},
      {"all of different models, but one",
       ManyDevices(16, [](int i) { return Model("m" + std::to_string(i % 15)); }),
       ManyRequests(8, 2) + distinct, "none", 5000},
      {"32 unique devices", ManyDevices(32, unique), ManyRequests(8, 4) + match, "none", 5000},
      {"32 unique devices, all needed", ManyDevices(32, unique), ManyRequests(8, 4) + distinct,
       "0.0", 10000},
      {"lists 8 x 8 of 7 devices", ManyDevices(7, same), lists, "none", 5000},
      {"lists 8 x 8 of 16 unique devices", ManyDevices(16, unique), lists, "0.0", 20000},
      {"lists 8 x 8 that must match",
       ManyDevices(16, [](int i) { return Model("m" + std::to_string(i / 2)); }), lists + match,
       "none", 20000},
  };
}

TEST(SearchHostileTest, IsBoundedWhereAPlainSearchIsNot) {
  for (const HostileCase& c : HostileCases()) {
    SearchBench bench(c.devices);
    const std::string answer = bench.Run({c.claim}, Search::Mode::Either);
    EXPECT_TRUE(answer.starts_with(c.answer)) << c.name << ": " << answer;
    EXPECT_LT(bench.steps(), c.steps_max + Search::kPlainSteps) << c.name;
  }
}

TEST(SearchHostileTest, CountersOfPartsAreNoTrap) {
  const std::string devices = ManyDevices(16, [](int i) {
    return ", consumesCounters: [{counterSet: card, counters: {memory: {value: '" +
           std::to_string(2 + i % 2) + "'}}}]";
  });
  SearchBench bench(devices, "[{name: card, counters: {memory: {value: '15'}}}]");
  EXPECT_EQ(bench.Run({ManyRequests(8, 1)}, Search::Mode::Either), "none");
  EXPECT_LT(bench.steps(), 20000U);
}

TEST(SearchLimitsTest, GivesUpAfterTooManySteps) {
  SearchBench bench(ManyDevices(16, [](int i) { return Model("m" + std::to_string(i)); }));
  EXPECT_EQ(bench.Run({ManyRequests(8, 2)}, Search::Mode::Either, 10),
            "gave up trying to allocate devices after 10 steps");
}

/// Returns a clock that advances by a second per reading.
std::function<Duration()> SlowClock(int& looks) {
  return [&looks] { return std::chrono::seconds(++looks); };
}

TEST(SearchLimitsTest, StopsWhenTimeIsUp) {
  for (const Search::Mode mode :
       {Search::Mode::Plain, Search::Mode::Either, Search::Mode::Pruned}) {
    SearchBench bench(ManyDevices(15, [](int) { return std::string(); }));
    int looks = 0;
    bench.limits().stopwatch = SlowClock(looks);
    bench.limits().time_max = std::chrono::seconds(4);
    EXPECT_EQ(bench.Run({ManyRequests(8, 2)}, mode), kTimedOut);
    EXPECT_LE(looks, 8);
    EXPECT_LT(bench.steps(), 2000U);
  }
}

TEST(SearchLimitsTest, ZeroIsNoLimit) {
  SearchBench bench(ManyDevices(15, [](int) { return std::string(); }));
  int looks = 0;
  bench.limits().stopwatch = SlowClock(looks);
  EXPECT_EQ(bench.Run({ManyRequests(8, 2)}, Search::Mode::Either), "none");
}

TEST(SearchLimitsTest, LooksAtTheClockForEachExpression) {
  SearchBench bench(ManyDevices(8, [](int) { return Model("m"); }));
  int looks = 0;
  bench.limits().stopwatch = SlowClock(looks);
  bench.limits().time_max = std::chrono::seconds(4);
  const std::string wanted =
      "requests: [{name: r, exactly: {deviceClassName: gpu, allocationMode: All, selectors: "
      "[{cel: {expression: 'device.driver != \"x\"'}}]}}]";
  EXPECT_EQ(bench.Run({wanted}, Search::Mode::Either), kTimedOut);
  EXPECT_THAT(bench.Run({wanted}, Search::Mode::Either), HasSubstr("=d7"))
      << "what was evaluated is known the second time";
}

TEST(SearchLimitsTest, MoreClaimsThanTheStackIsMadeForAreRefused) {
  SearchBench bench("[{name: d0}]");
  const std::vector<std::string> claims(65, ManyRequests(1, 1));
  EXPECT_EQ(bench.Run(claims, Search::Mode::Either), "number of claims 65 exceeds the limit of 64");
  EXPECT_EQ(bench.Run({ManyRequests(33, 1)}, Search::Mode::Either),
            "claim default/c0: number of requests 33 exceeds the limit of 32");
  EXPECT_EQ(bench.Run({ManyRequests(3, 11)}, Search::Mode::Either),
            "claim default/c0: number of requested devices 33 exceeds the claim limit of 32");
}

}  // namespace
}  // namespace plimsoll::dra
