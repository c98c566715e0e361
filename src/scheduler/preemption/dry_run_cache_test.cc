#include "scheduler/preemption/dry_run_cache.h"

#include <gtest/gtest.h>

#include "scheduler/objects_for_test.h"

namespace plimsoll::scheduler {
namespace {

TEST(DryRunCacheTest, ForgetsWhatChanged) {
  ClusterState cluster{match::Rules{}};
  const auto put = [&](std::string_view name, std::string_view spec) {
    return cluster.UpsertNode(*NodeFromYaml(name, "{}", spec)->As<api::Node>());
  };
  const NodeSlot a = put("a", "{}");
  const NodeSlot b = put("b", "{}");
  const auto one = cluster.ClassOf(PodFromYaml("p", "{priority: 1}"));
  const auto other = cluster.ClassOf(PodFromYaml("p", "{priority: 2}"));

  DryRunCache cache;
  cache.CatchUp(cluster, *one, 1);
  EXPECT_EQ(cache.Find(a), nullptr);
  cache.Store(a, {});
  cache.Store(b, {});
  put("a", "{unschedulable: true}");
  cache.CatchUp(cluster, *one, 1);
  EXPECT_EQ(cache.Find(a), nullptr);
  EXPECT_NE(cache.Find(b), nullptr);

  cache.CatchUp(cluster, *one, 2);
  EXPECT_EQ(cache.Find(b), nullptr) << "the budgets changed";
  cache.Store(b, {});
  cache.CatchUp(cluster, *other, 2);
  EXPECT_EQ(cache.Find(b), nullptr) << "another class";
}

}  // namespace
}  // namespace plimsoll::scheduler
