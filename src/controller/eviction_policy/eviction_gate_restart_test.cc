// Random clusters with policies. The controllers are killed after random writes, down to after each
// one, and their successors continue. No limit may ever be exceeded, nobody may be evicted twice or
// forgotten.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "controller/eviction_policy/policies_for_test.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

using namespace std::chrono_literals;

const Instant kNoon = ParseTime("2026-03-01T12:00:00Z").value();
constexpr int kPods = 60;

/// A cluster whose pods are all evicted, under kills. Remembers when each pod has gone.
class Cluster {
 public:
  Cluster(const std::string& policy, std::uint64_t seed, std::size_t writes_max)
      : random_(seed), writes_max_(writes_max) {
    auto& server = world_.server();
    server.Put(
        "apiVersion: plimsoll.io/v1alpha1\nkind: EvictionPolicy\nmetadata: {name: p}\n"
        "spec: {" +
        policy + "}\n");
    server.Put(
        "apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: r, namespace: default, "
        "uid: rs}\nspec: {replicas: " +
        std::to_string(kPods) + "}\n");
    for (int i = 0; i < kPods; ++i) PutPod("p" + std::to_string(i), "n1");
    server.RunFor(0s);
    server.Put(
        "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\nspec: {taints: [{key: risk, "
        "effect: NoExecute, timeAdded: '2026-03-01T12:00:00Z'}]}\n");
  }

  void RunUntil(Instant end) {
    while (world_.server().now() < end) {
      const std::size_t writes = world_.server().writes() + 1 + random_.Below(writes_max_);
      Instant next = std::min(end, world_.server().now() + 100ms);
      bool is_killed = false;
      while (!is_killed && next <= end) {
        is_killed = world_.server().RunUntilWrite(next, writes);
        Look();
        if (next == end) break;
        next = std::min(end, next + 100ms);
      }
      if (!is_killed) return;
      world_.Restart();
      // Sometimes the successor needs a while.
      if (random_.Chance(0.2)) world_.server().RunUntil(world_.server().now());
      Look();
    }
  }

  /// Pods that are evicted are replaced some time later by pods elsewhere.
  bool replaces_pods = false;
  const std::vector<Instant>& gone() const { return gone_; }
  std::size_t missing_max() const { return missing_max_; }
  PoliciesForTest& world() { return world_; }

 private:
  void PutPod(const std::string& name, const std::string& node) {
    world_.server().Put(
        "apiVersion: v1\nkind: Pod\nmetadata: {name: " + name +
        ", namespace: default, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: r, "
        "uid: rs, controller: true}]}\nspec: {nodeName: " +
        node + "}\nstatus: {phase: Running, conditions: [{type: Ready, status: 'True'}]}\n");
  }
  void Look() {
    std::size_t left = 0;
    for (const ObjectPtr& pod : world_.server().All("Pod")) {
      if (pod->metadata().name.starts_with("p")) ++left;
    }
    while (gone_.size() < kPods - left) gone_.push_back(world_.server().now());
    missing_max_ = std::max(missing_max_, kPods - world_.server().All("Pod").size());
    if (!replaces_pods || !random_.Chance(0.3)) return;
    if (replaced_ < gone_.size()) PutPod("r" + std::to_string(replaced_++), "n2");
  }

  Random random_;
  const std::size_t writes_max_;
  PoliciesForTest world_{kNoon};
  std::vector<Instant> gone_;
  std::size_t replaced_ = 0;
  std::size_t missing_max_ = 0;
};

/// Returns the largest number of these times in any interval of that length.
std::size_t MostIn(const std::vector<Instant>& times, Duration length) {
  std::size_t most = 0;
  std::size_t first = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    while (times[i] - times[first] > length) ++first;
    most = std::max(most, i - first + 1);
  }
  return most;
}

TEST(EvictionGateRestartTest, TheRateIsNeverExceeded) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Cluster cluster("rate: {perSecond: 4, burst: 3}", seed, 1 + seed % 12);
    cluster.RunUntil(kNoon + 10min);
    const std::vector<Instant>& gone = cluster.gone();
    ASSERT_EQ(gone.size(), static_cast<std::size_t>(kPods)) << "seed " << seed;
    for (const Duration length : {0ms, 500ms, 1000ms, 5000ms}) {
      const auto allowed = static_cast<std::size_t>(3 + length / 250ms);
      // The clock of the test sees evictions up to 100 ms late.
      ASSERT_LE(MostIn(gone, length), allowed + 1) << "seed " << seed;
    }
  }
}

TEST(EvictionGateRestartTest, TheBreakerIsNeverExceeded) {
  for (std::uint64_t seed = 1; seed <= 15; ++seed) {
    Cluster cluster("rate: {perSecond: 20, burst: 5}, breaker: {window: 1h, maxPods: 17}", seed,
                    1 + seed % 9);
    cluster.RunUntil(kNoon + 50min);
    ASSERT_LE(cluster.gone().size(), 17u) << "seed " << seed;
    ASSERT_GE(cluster.gone().size(), 5u) << "seed " << seed;
  }
}

TEST(EvictionGateRestartTest, AWorkloadNeverMissesMorePods) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Cluster cluster("maxUnavailable: 4", seed, 1 + seed % 9);
    cluster.replaces_pods = true;
    cluster.RunUntil(kNoon + 30min);
    ASSERT_LE(cluster.missing_max(), 4u) << "seed " << seed;
    ASSERT_EQ(cluster.gone().size(), static_cast<std::size_t>(kPods)) << "seed " << seed;
  }
}

TEST(EvictionGateRestartTest, NobodyIsForgotten) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Cluster cluster("settle: 10s, deadline: 5m, rate: {perSecond: 1, burst: 1}", seed,
                    2 + seed % 5);
    cluster.RunUntil(kNoon + 299s);
    ASSERT_GE(cluster.gone().size(), 20u) << "seed " << seed;
    cluster.RunUntil(kNoon + 302s);
    ASSERT_EQ(cluster.gone().size(), static_cast<std::size_t>(kPods)) << "seed " << seed;
  }
}

}  // namespace
}  // namespace plimsoll::controller
