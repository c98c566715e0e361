#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "controller/eviction_policy/policies_for_test.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

using testing::SizeIs;
using namespace std::chrono_literals;

class PolicyStatusTest : public testing::Test, protected PolicyWorld {};

TEST_F(PolicyStatusTest, HeldPodsSayWhyOnce) {
  Policy("rate: {perSecond: 1, burst: 1}");
  Pods(3);
  Node("n1", TaintNow());
  RunTo(5s);
  std::vector<std::string> delayed;
  for (const std::string& text : server().TakeEvents()) {
    if (text.starts_with("EvictionDelayed")) delayed.push_back(text);
  }
  ASSERT_THAT(delayed, SizeIs(2));
  EXPECT_EQ(delayed[0],
            "EvictionDelayed: Eviction of Pod default/p01 for taint risk=100:NoExecute is delayed "
            "by EvictionPolicy p: Rate: the rate of evictions is reached");
}

TEST_F(PolicyStatusTest, AnInvalidPolicyPauses) {
  Policy("settle: soon");
  Pods(1);
  Node("n1", TaintNow());
  RunTo(1h);
  EXPECT_EQ(Left(), 1u);
  const codec::Value& condition = FindAt(Status(), {"conditions"})->items()[1];
  EXPECT_EQ(TextAt(condition, {"message"}), "spec.settle: want a duration such as 30s");
}

TEST_F(PolicyStatusTest, StatusWritesAreFew) {
  Policy("rate: {perSecond: 1000, burst: 10}");
  for (int i = 0; i < 2000; ++i) {
    server().Put("apiVersion: v1\nkind: Pod\nmetadata: {name: p" + std::to_string(i) +
                 ", namespace: default}\nspec: {nodeName: n1}\n");
  }
  server().RunFor(1s);
  const std::size_t before = server().writes();
  Node("n1", TaintNow());
  server().RunFor(5s);
  EXPECT_EQ(Left(), 0u);
  EXPECT_LT(server().writes() - before, 2000u + 60u);
}

TEST_F(PolicyStatusTest, APauseHoldsPodsUntilItEnds) {
  Policy("paused: true");
  Pods(3);
  Node("n1", TaintNow());
  RunTo(1h);
  EXPECT_EQ(Left(), 3u);
  EXPECT_EQ(ConditionOf("Paused"), "True");
  EXPECT_EQ(IntAt(Status(), {"heldBack"}), 3);
  EXPECT_EQ(TextAt(FindAt(Status(), {"heldBackBy"})->items()[0], {"reason"}), "Paused");
  Policy("paused: false");
  EXPECT_EQ(Left(), 0u);
  RunTo(1h + 2s);
  EXPECT_EQ(ConditionOf("Paused"), "False");
}

}  // namespace
}  // namespace plimsoll::controller
