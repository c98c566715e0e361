// Random histories of taints and of pods with various tolerations. One run uses one controller,
// another a series of controllers, each of which takes over from the previous one. Every pod must
// be evicted at the same time in both runs.

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "base/random.h"
#include "controller/chain_for_test.h"
#include "controller/taint_eviction/taint_eviction.h"

namespace plimsoll::controller {
namespace {

using namespace std::chrono_literals;

const Instant kNoon = ParseTime("2026-03-01T12:00:00Z").value();
constexpr std::string_view kKeys[] = {"a", "b", "c", "d"};

class Cluster {
 public:
  void Restart() {
    chain_.Restart();
    Look();
  }
  void Put(const std::string& yaml) {
    chain_.server().Put(yaml);
    Look();
  }
  void Tick() {
    chain_.server().RunFor(1s);
    Look();
  }
  std::string Now() const { return FormatTime(chain_.server().now()); }
  const std::map<std::string, std::string>& gone() const { return gone_; }

 private:
  void Look() {
    chain_.server().Settle();
    for (const std::string& text : chain_.server().TakeEvictions()) {
      gone_[text.substr(0, text.find(':'))] = Now();
    }
  }

  ChainForTest<TaintEviction> chain_{kNoon};
  std::map<std::string, std::string> gone_;
};

std::string TolerationText(Random& random) {
  std::string text =
      "{key: " + std::string(kKeys[random.Below(std::size(kKeys))]) + ", effect: NoExecute";
  text += random.Chance(0.5) ? ", operator: Exists" : ", operator: Lt, value: '5'";
  if (random.Chance(0.8)) text += ", tolerationSeconds: " + std::to_string(random.Between(0, 40));
  return text + "}";
}

/// Returns the eviction time of each pod.
std::map<std::string, std::string> Record(std::uint64_t seed, bool restarts) {
  Random random(seed);
  Random restart_random(seed + 1);
  Cluster cluster;
  std::vector<std::string> taints;
  int pods = 0;
  const auto put_node = [&] {
    std::string list;
    for (const std::string& taint : taints) list += (list.empty() ? "" : ", ") + taint;
    cluster.Put("apiVersion: v1\nkind: Node\nmetadata: {name: n1}\nspec: {taints: [" + list +
                "]}\n");
  };
  put_node();
  for (int second = 0; second < 200; ++second) {
    if (taints.size() < std::size(kKeys) && random.Chance(0.05)) {
      taints.push_back("{key: " + std::string(kKeys[taints.size()]) + ", value: '" +
                       std::to_string(random.Between(3, 7)) + "', effect: NoExecute, timeAdded: '" +
                       cluster.Now() + "'}");
      put_node();
    } else if (!taints.empty() && random.Chance(0.02)) {
      taints.clear();
      put_node();
    }
    if (random.Chance(0.1)) {
      std::string tolerations;
      for (std::int64_t i = random.Between(0, 6); i > 0; --i) {
        tolerations += (tolerations.empty() ? "" : ", ") + TolerationText(random);
      }
      cluster.Put("apiVersion: v1\nkind: Pod\nmetadata: {name: p" + std::to_string(pods++) +
                  ", namespace: default}\nspec: {nodeName: n1, tolerations: [" + tolerations +
                  "]}\n");
    }
    if (restarts && restart_random.Chance(0.2)) cluster.Restart();
    cluster.Tick();
  }
  return cluster.gone();
}

TEST(TaintEvictionRestartTest, ChangesNothing) {
  std::size_t gone = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const auto want = Record(seed, false);
    ASSERT_EQ(Record(seed, true), want) << "seed " << seed;
    gone += want.size();
  }
  EXPECT_GT(gone, 300u);
}

}  // namespace
}  // namespace plimsoll::controller
