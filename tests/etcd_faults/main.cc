// Runs two stores on three etcd members, with writers and watches that treat them as one, and
// injects one fault after the other. After each fault it checks all writes and watches. No
// acknowledged write may be lost or applied twice, and compare-and-swap must hold across stores.
// Every watch must deliver each change once and in order.
//
//   ROUNDS=6 SEED=7 etcd_faults    SEED repeats the choices, but not the thread scheduling

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <string_view>
#include <thread>

#include "base/real_clock.h"
#include "etcd_faults/admin.h"
#include "etcd_faults/ledger.h"
#include "etcd_faults/load.h"
#include "store/etcd/etcd_process_for_test.h"
#include "store/etcd_store.h"

namespace plimsoll::etcd_faults {
namespace {

using store::Number;
using store::Revision;
using store::Store;
using store::etcd::EtcdCluster;
using store::etcd::EtcdProcess;

// Long enough for a busy machine.
constexpr std::chrono::seconds kPatience(120);
constexpr std::int64_t kWritesAround = 100;

struct Scene {
  EtcdCluster& cluster;
  const std::vector<Store*>& stores;
  Ledger& ledger;
  Random& random;
};

/// Polls until `holds` returns true, or records a violation after kPatience.
bool Await(std::string_view what, Ledger& ledger, const std::function<bool()>& holds) {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end) {
      ledger.Violated(fmt::format("waited in vain until {}", what));
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return true;
}

void AwaitWrites(Ledger& ledger) {
  const std::int64_t wanted = ledger.acknowledged() + kWritesAround;
  Await("writes go on", ledger, [&] { return ledger.acknowledged() >= wanted; });
}

EtcdProcess& FindMember(Scene& scene, bool is_leader) {
  EtcdProcess* found = &scene.cluster.at(0);
  Await("there is a leader", scene.ledger, [&] {
    std::size_t leaders = 0;
    for (std::size_t i = 0; i < scene.cluster.size(); ++i) {
      const bool leads = IsLeader(scene.cluster.at(i).endpoint());
      leaders += leads ? 1 : 0;
      if (leads == is_leader) found = &scene.cluster.at(i);
    }
    return leaders == 1;
  });
  return *found;
}

void KillMember(Scene& scene, bool is_leader) {
  FindMember(scene, is_leader).Kill();
  AwaitWrites(scene.ledger);
  scene.cluster.StartMissing();
}

void KillFollower(Scene& scene) { KillMember(scene, false); }
void KillLeader(Scene& scene) { KillMember(scene, true); }

void KillAll(Scene& scene) {
  for (std::size_t i = 0; i < scene.cluster.size(); ++i) scene.cluster.at(i).Kill();
  scene.cluster.StartMissing();
}

/// The paused leader does not know that the others have elected another one.
void PauseLeader(Scene& scene) {
  const EtcdProcess& leader = FindMember(scene, true);
  leader.Pause();
  AwaitWrites(scene.ledger);
  leader.Resume();
}

void FillUp(Scene& scene) {
  const std::string member = scene.cluster.endpoints().front();
  Await("the alarm is raised", scene.ledger, [&] { return SetNoSpaceAlarm(member, true); });
  const std::int64_t refused = scene.ledger.unavailable();
  Await("writes are refused", scene.ledger, [&] { return scene.ledger.unavailable() > refused; });
  for (Store* const store : scene.stores) {
    const auto list = store->List({.prefix = "/w/"});
    if (!list.has_value()) scene.ledger.Violated("no reads when full: " + list.error().Text());
  }
  Await("the alarm is ended", scene.ledger, [&] { return SetNoSpaceAlarm(member, false); });
}

void Compact(Scene& scene) {
  for (int i = 0; i < 5; ++i) {
    AwaitWrites(scene.ledger);
    Store& store = *scene.stores[scene.random.Below(scene.stores.size())];
    // Older than what the followers have received, but newer than what late watches may request.
    const Status done = store.Compact(Revision{Number(store.latest()) - 50});
    if (!done.has_value()) scene.ledger.Violated("compaction: " + done.error().Text());
  }
}

struct FaultRow {
  std::string_view name;
  void (*run)(Scene& scene);
};

constexpr std::array kFaults = {
    FaultRow{"compaction", Compact},         FaultRow{"follower killed", KillFollower},
    FaultRow{"leader killed", KillLeader},   FaultRow{"alarm NOSPACE", FillUp},
    FaultRow{"all members killed", KillAll}, FaultRow{"leader paused", PauseLeader},
};

std::int64_t FromEnvironment(const char* name, std::int64_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::atoll(text);
}

double SecondsSince(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

/// Returns false if a check failed.
bool RunRound(Scene& scene, std::int64_t round) {
  // Each fault once, then at random.
  const auto number = static_cast<std::size_t>(round);
  const FaultRow& fault =
      number < kFaults.size() ? kFaults[number] : kFaults[scene.random.Below(kFaults.size())];
  const auto begin = std::chrono::steady_clock::now();
  const std::int64_t before = scene.ledger.acknowledged();
  Load load(scene.stores, scene.ledger, scene.random.Fork(), (round + 1) << 32);
  AwaitWrites(scene.ledger);
  const auto fault_begin = std::chrono::steady_clock::now();
  fault.run(scene);
  AwaitWrites(scene.ledger);
  const double seconds = SecondsSince(fault_begin);
  load.Finish();
  fmt::print("etcd_faults: round {}: {}: {:.1f} s until writes went on, {} writes in {:.1f} s\n",
             round, fault.name, seconds, scene.ledger.acknowledged() - before, SecondsSince(begin));
  for (const std::string& text : scene.ledger.faults()) {
    fmt::print("etcd_faults: round {}: {}: {}\n", round, fault.name, text);
  }
  std::fflush(stdout);
  return scene.ledger.faults().empty();
}

int RunRounds() {
  if (!EtcdProcess::Missing().empty()) {
    fmt::print("etcd_faults: {}\n", EtcdProcess::Missing());
    return 77;
  }
  RealClock clock;
  MemorySink sink;
  Logger logger(clock, sink);
  const std::int64_t rounds = FromEnvironment("ROUNDS", static_cast<std::int64_t>(kFaults.size()));
  const auto seed =
      static_cast<std::uint64_t>(FromEnvironment("SEED", clock.Now().time_since_epoch().count()));
  fmt::print("etcd_faults: {} rounds, SEED={}\n", rounds, seed);
  Random random(seed);
  EtcdCluster cluster(3);
  std::vector<std::string> endpoints = cluster.endpoints();
  std::vector<std::unique_ptr<Store>> stores;
  std::vector<Store*> pointers;
  for (int i = 0; i < 2; ++i) {
    stores.push_back(store::OpenEtcdStore({.endpoints = endpoints,
                                           .prefix = "/faults",
                                           .root = "",
                                           .timeout = std::chrono::seconds(2)},
                                          clock, logger, nullptr)
                         .value());
    pointers.push_back(stores.back().get());
    // Each store prefers a different member.
    std::rotate(endpoints.begin(), endpoints.begin() + 1, endpoints.end());
  }
  Ledger ledger;
  Scene scene{cluster, pointers, ledger, random};
  for (std::int64_t round = 0; round < rounds; ++round) {
    if (RunRound(scene, round)) continue;
    fmt::print("etcd_faults: FAILED with SEED={} ROUNDS={}\n{}", seed, round + 1, sink.text());
    return 1;
  }
  fmt::print(
      "etcd_faults: {} faults, {} writes acknowledged, {} refused, of {} nobody knew; "
      "nothing lost\n",
      rounds, ledger.acknowledged(), ledger.unavailable(), ledger.unknown());
  return 0;
}

}  // namespace
}  // namespace plimsoll::etcd_faults

int main() { return plimsoll::etcd_faults::RunRounds(); }
