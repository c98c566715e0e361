// Tests of eviction rates and of rules that change during eviction. A series of restarted
// controllers must evict every pod once, in the same order.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/random.h"
#include "controller/chain_for_test.h"
#include "controller/device_taint_eviction/device_taint_eviction.h"

namespace plimsoll::controller {
namespace {

using namespace std::chrono_literals;

const Instant kNoon = ParseTime("2026-03-01T12:00:00Z").value();
const std::string kApi = "{apiVersion: resource.k8s.io/v1, kind: ";

class Cluster {
 public:
  /// Makes a cluster with this many pods, see AddPods.
  explicit Cluster(int pods) { AddPods(pods); }
  /// Also makes a rule "r" that evicts them.
  Cluster(int pods, int rate) : Cluster(pods) { PutRule("r", 1, "NoExecute", rate); }
  Cluster() = default;

  void Restart() {
    chain_.Restart();
    Look();
  }
  /// Adds pods p000, p001, … with one device each, all on one node.
  void AddPods(int count, const std::string& taint = "", const std::string& pool = "n1",
               int first = 0) {
    std::string devices;
    for (int i = first; i < first + count; ++i) {
      devices += "{name: d" + std::to_string(i) + ", taints: [" + taint + "]}, ";
    }
    Put(kApi + "ResourceSlice, metadata: {name: s-" + pool +
        "}, spec: {driver: gpu, pool: {name: " + pool +
        ", generation: 1, resourceSliceCount: 1}, nodeName: n1, devices: [" + devices + "]}}");
    for (int i = first; i < first + count; ++i) AddPod(i, pool);
  }
  void AddPod(int index, const std::string& pool = "n1") {
    const std::string name = "p" + std::to_string(1000 + index).substr(1);
    Put(kApi + "ResourceClaim, metadata: {name: " + name +
        ", namespace: default}, status: {allocation: {devices: {results: [{request: r, driver: "
        "gpu, pool: " +
        pool + ", device: d" + std::to_string(index) +
        "}]}}, reservedFor: [{resource: pods, name: " + name + ", uid: u-" + name + "}]}}");
    Put("{apiVersion: v1, kind: Pod, metadata: {name: " + name + ", namespace: default, uid: u-" +
        name + "}, spec: {nodeName: n1, resourceClaims: [{name: c, resourceClaimName: " + name +
        "}]}}");
  }
  void PutRule(const std::string& name, int generation, const std::string& effect, int rate,
               const std::string& selector = "{}") {
    Put(kApi + "DeviceTaintRule, metadata: {name: " + name + ", uid: u-" + name +
        ", generation: " + std::to_string(generation) + "}, spec: {deviceSelector: " + selector +
        ", taint: {key: k, effect: " + effect +
        ", timeAdded: '2026-03-01T12:00:00Z', evictionsPerSecond: " + std::to_string(rate) + "}}}");
  }
  void DeleteRule(const std::string& name) {
    chain_.server().Delete("DeviceTaintRule", "", name);
    Look();
  }
  void RunFor(Duration time) {
    chain_.server().RunFor(time);
    Look();
  }
  void FailNext(int count) { chain_.server().FailNext(count); }

  /// Returns the names of the evicted pods, in order of eviction.
  const std::vector<std::string>& gone() const { return gone_; }
  std::size_t left() const { return chain_.server().All("Pod").size(); }
  std::size_t cancelled() const { return cancelled_; }
  const DeviceTaintEviction& core() const { return chain_.core(); }

 private:
  void Put(const std::string& yaml) {
    chain_.server().Put(yaml);
    Look();
  }
  void Look() {
    chain_.server().Settle();
    for (const std::string& text : chain_.server().TakeEvictions()) {
      gone_.push_back(text.substr(0, text.find(':')));
    }
    for (const std::string& text : chain_.server().TakeEvents()) {
      cancelled_ += text.find("Cancelling") == std::string::npos ? 0 : 1;
    }
  }

  ChainForTest<DeviceTaintEviction> chain_{kNoon};
  std::vector<std::string> gone_;
  std::size_t cancelled_ = 0;
};

TEST(DeviceTaintEvictionRateTest, ABurstThenTheRateInOrder) {
  Cluster cluster(100, 5);
  EXPECT_EQ(cluster.gone().size(), 10u);
  for (std::size_t second = 1; second <= 18; ++second) {
    cluster.RunFor(1s);
    EXPECT_EQ(cluster.gone().size(), 10 + 5 * second);
  }
  EXPECT_TRUE(std::ranges::is_sorted(cluster.gone()));
  EXPECT_EQ(cluster.left(), 0u);
}

TEST(DeviceTaintEvictionRateTest, ADriversTaintIsOneOfEachDevice) {
  Cluster cluster;
  cluster.AddPods(30, "{key: k, effect: NoExecute, timeAdded: '2026-03-01T12:00:00Z'}");
  EXPECT_EQ(cluster.left(), 0u);
  cluster.RunFor(1s);
  EXPECT_EQ(cluster.core().evictions(), 30u) << "as long as claims have the devices";
}

TEST(DeviceTaintEvictionRateTest, TheFastestOfAPodsTaintsDecides) {
  Cluster cluster(100);
  cluster.PutRule("slow", 1, "NoExecute", 1);
  cluster.PutRule("fast", 1, "NoExecute", 5);
  EXPECT_EQ(cluster.gone().size(), 20u) << "each has its burst";
  cluster.RunFor(10s);
  EXPECT_GE(cluster.gone().size(), 20u + 50u - 1);
  EXPECT_LE(cluster.gone().size(), 20u + 50u + 1) << "not the sum of the two";
}

TEST(DeviceTaintEvictionRateTest, DisjointSetsOfPodsHaveSeparateRates) {
  Cluster cluster;
  cluster.AddPods(60, "", "slow");
  cluster.AddPods(60, "", "fast", 100);
  cluster.PutRule("slow", 1, "NoExecute", 1, "{pool: slow}");
  cluster.PutRule("fast", 1, "NoExecute", 5, "{pool: fast}");
  const auto gone = [&](bool is_slow) {
    return std::ranges::count_if(
        cluster.gone(), [&](const std::string& name) { return (name < "p100") == is_slow; });
  };
  EXPECT_EQ(gone(true), 10) << "each has its burst";
  EXPECT_EQ(gone(false), 10);
  for (int second = 1; second <= 10; ++second) {
    cluster.RunFor(1s);
    EXPECT_EQ(gone(true), 10 + second);
    EXPECT_EQ(gone(false), 10 + 5 * second);
  }
  EXPECT_EQ(gone(false), 60) << "the fast one is done";
  cluster.RunFor(40s);
  EXPECT_EQ(gone(true), 60) << "the other goes on at its own rate";
}

TEST(DeviceTaintEvictionRateTest, AnEditedRuleGoesOnAsItSays) {
  Cluster cluster(100, 1);
  cluster.RunFor(10s);
  EXPECT_EQ(cluster.gone().size(), 20u);
  cluster.PutRule("r", 2, "NoExecute", 10);
  cluster.RunFor(1s);
  EXPECT_NEAR(static_cast<double>(cluster.gone().size()), 30, 1);
  cluster.PutRule("r", 3, "None", 10);
  const std::size_t gone = cluster.gone().size();
  EXPECT_EQ(cluster.cancelled(), cluster.left());
  cluster.RunFor(1min);
  EXPECT_EQ(cluster.gone().size(), gone);
  cluster.PutRule("r", 4, "NoExecute", 10);
  cluster.RunFor(10s);
  EXPECT_EQ(cluster.left(), 0u);
}

TEST(DeviceTaintEvictionRateTest, ADeletedRuleStops) {
  Cluster cluster(50, 10);
  cluster.RunFor(1s);
  EXPECT_EQ(cluster.gone().size(), 20u);
  cluster.DeleteRule("r");
  EXPECT_EQ(cluster.cancelled(), 30u);
  EXPECT_EQ(cluster.core().pending(), 0u);
  cluster.RunFor(1min);
  EXPECT_EQ(cluster.left(), 30u);
  EXPECT_EQ(cluster.core().evictions(), 0u);
}

TEST(DeviceTaintEvictionRateTest, IdleTaintsAreForgotten) {
  Cluster cluster(20, 10);
  cluster.RunFor(1s);
  EXPECT_EQ(cluster.left(), 0u);
  cluster.DeleteRule("r");
  EXPECT_EQ(cluster.core().evictions(), 1u) << "its burst is not yet whole again";
  cluster.RunFor(1s);
  EXPECT_EQ(cluster.core().evictions(), 0u);
  EXPECT_FALSE(cluster.core().NextWake());
}

TEST(DeviceTaintEvictionRateTest, ARestartCostsABurstAtMost) {
  Cluster cluster(100, 5);
  cluster.RunFor(6s);
  EXPECT_EQ(cluster.gone().size(), 40u);
  cluster.Restart();
  EXPECT_EQ(cluster.gone().size(), 50u);
  cluster.RunFor(4s);
  EXPECT_EQ(cluster.gone().size(), 70u);
  cluster.RunFor(6s);
  EXPECT_EQ(cluster.left(), 0u);
  EXPECT_TRUE(std::ranges::is_sorted(cluster.gone()));
  EXPECT_EQ(std::ranges::adjacent_find(cluster.gone()), cluster.gone().end()) << "none twice";
}

/// Fails, restarts and edits at random: every pod is evicted once, none is missed, and the
/// controller keeps no state at the end.
TEST(DeviceTaintEvictionRateTest, WhateverHappensEachPodGoesOnce) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Random random(seed);
    int pods = 30;
    int generation = 1;
    Cluster cluster(pods);
    for (int second = 0; second < 60; ++second) {
      if (random.Chance(0.1)) cluster.Restart();
      if (random.Chance(0.1)) cluster.FailNext(static_cast<int>(random.Below(5)));
      if (random.Chance(0.2)) cluster.AddPod(pods++);
      if (random.Chance(0.3)) {
        cluster.PutRule(random.Chance(0.5) ? "a" : "b", ++generation,
                        random.Chance(0.5) ? "NoExecute" : "None",
                        static_cast<int>(random.Between(1, 5)));
      }
      cluster.RunFor(1s);
    }
    cluster.PutRule("a", ++generation, "NoExecute", 20);
    cluster.RunFor(2min);
    EXPECT_EQ(cluster.left(), 0u) << seed;
    EXPECT_EQ(cluster.core().pending(), 0u) << seed;
    std::vector<std::string> gone = cluster.gone();
    std::ranges::sort(gone);
    EXPECT_EQ(std::ranges::adjacent_find(gone), gone.end()) << seed;
    EXPECT_EQ(gone.size(), static_cast<std::size_t>(pods)) << seed;
  }
}

}  // namespace
}  // namespace plimsoll::controller
