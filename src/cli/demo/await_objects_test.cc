#include "cli/demo/await_objects.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/async.h"
#include "cli/demo/cluster_for_test.h"

namespace plimsoll::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Key;

TEST(AwaitObjectsTest, ReturnsTheObjectsOnceTheConditionHolds) {
  ClusterForTest cluster;
  cluster.CreateNode("a", "[]");
  const api::KindDesc& nodes = *api::FindKind("", "v1", "Node");
  const auto stop = cluster.client().NewStopSignal();
  const auto has = [](std::size_t count) {
    return [count](const NamedObjects& found) { return found.size() == count; };
  };
  const auto one = AwaitObjects(cluster.client(), {nodes}, "a node", has(1), stop);
  ASSERT_TRUE(one) << one.error().Text();
  EXPECT_THAT(*one, ElementsAre(Key("a")));

  WorkerPool creator(1);
  creator.Run([&] { cluster.CreateNode("b", "[]"); });
  const auto two = AwaitObjects(cluster.client(), {nodes}, "two nodes", has(2), stop);
  ASSERT_TRUE(two) << two.error().Text();
  EXPECT_THAT(*two, ElementsAre(Key("a"), Key("b")));
}

TEST(AwaitObjectsTest, AStopEndsItAndTheErrorSaysWhatWasAwaited) {
  ClusterForTest cluster;
  const auto stop = cluster.client().NewStopSignal();
  const auto never = AwaitObjects(
      cluster.client(), {*api::FindKind("", "v1", "Node")}, "a node flies",
      [&](const NamedObjects&) {
        stop->Stop();
        return false;
      },
      stop);
  ASSERT_FALSE(never);
  EXPECT_EQ(never.error().reason, Reason::Timeout);
  EXPECT_THAT(never.error().message, HasSubstr("a node flies"));
}

}  // namespace
}  // namespace plimsoll::cli
