#include "agent/pending_actions.h"

#include <gtest/gtest.h>

#include <string>

namespace plimsoll::agent {
namespace {

TEST(PendingActionsTest, AnOutcomeBelongsToThePartThatBeganTheAction) {
  ActionId next = 1;
  PendingActions<std::string> pods(next);
  PendingActions<int> nodes(next);
  const ActionId pod = pods.Begin("web");
  const ActionId node = nodes.Begin(7);
  EXPECT_NE(pod, node);
  EXPECT_EQ(nodes.Finish(pod), std::nullopt);
  EXPECT_EQ(pods.Finish(pod), "web");
  EXPECT_EQ(pods.Finish(pod), std::nullopt);
  EXPECT_EQ(nodes.Finish(node), 7);
}

TEST(PendingActionsTest, TheOutcomeOfACancelledActionIsIgnored) {
  ActionId next = 1;
  PendingActions<int> actions(next);
  const ActionId id = actions.Begin(1);
  actions.Cancel(id);
  EXPECT_EQ(actions.Finish(id), std::nullopt);
}

}  // namespace
}  // namespace plimsoll::agent
