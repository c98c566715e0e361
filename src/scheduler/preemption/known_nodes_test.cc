#include "scheduler/preemption/known_nodes.h"

#include <gtest/gtest.h>

#include "scheduler/objects_for_test.h"

namespace plimsoll::scheduler {
namespace {

TEST(KnownNodesTest, ForgetsWhatChanged) {
  ClusterState cluster{match::Rules{}};
  const auto put = [&](std::string_view name, std::string_view spec) {
    return cluster.UpsertNode(*NodeFromYaml(name, "{}", spec)->As<api::Node>());
  };
  const NodeSlot a = put("a", "{}");
  const NodeSlot b = put("b", "{}");
  const auto one = cluster.ClassOf(PodFromYaml("p", "{priority: 1}"));
  const auto other = cluster.ClassOf(PodFromYaml("p", "{priority: 2}"));

  KnownNodes known;
  known.CatchUp(cluster, *one, 1);
  EXPECT_EQ(known.Find(a), nullptr);
  known.Keep(a, {});
  known.Keep(b, {});
  put("a", "{unschedulable: true}");
  known.CatchUp(cluster, *one, 1);
  EXPECT_EQ(known.Find(a), nullptr);
  EXPECT_NE(known.Find(b), nullptr);

  known.CatchUp(cluster, *one, 2);
  EXPECT_EQ(known.Find(b), nullptr) << "the budgets changed";
  known.Keep(b, {});
  known.CatchUp(cluster, *other, 2);
  EXPECT_EQ(known.Find(b), nullptr) << "another class";
}

}  // namespace
}  // namespace plimsoll::scheduler
