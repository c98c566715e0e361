#include "apiserver/fairness/flow_config.h"

#include <gtest/gtest.h>

#include "codec/json.h"

namespace plimsoll::apiserver {
namespace {

template <class Read>
auto Parsed(const Read& read, std::string json) {
  return read((*codec::ParseJson(std::move(json)))->root());
}

TEST(FlowConfigTest, ReadsALevelWithQueues) {
  const LevelConfig level = Parsed(
      ReadLevelConfig,
      R"({"metadata":{"name":"l","uid":"u"},"spec":{"type":"Limited","limited":{)"
      R"("nominalConcurrencyShares":7,"lendablePercent":20,"borrowingLimitPercent":300,)"
      R"("limitResponse":{"type":"Queue","queuing":{"queues":4,"handSize":2,"queueLengthLimit":9)"
      R"(}}}}})");
  EXPECT_EQ(level.name, "l");
  EXPECT_EQ(level.uid, "u");
  EXPECT_FALSE(level.is_exempt);
  EXPECT_EQ(level.nominal_shares, 7);
  EXPECT_EQ(level.lendable_percent, 20);
  EXPECT_EQ(level.borrowing_percent, 300);
  EXPECT_EQ(level.queuing, (QueueConfig{4, 2, 9}));
}

TEST(FlowConfigTest, WhateverIsStoredCanBeUsed) {
  for (const std::string json : {
           R"({})",
           R"({"metadata":null,"spec":{"type":"Limited","limited":null}})",
           R"({"spec":{"type":"Limited","limited":{"nominalConcurrencyShares":-5,)"
           R"("lendablePercent":1000,"limitResponse":{"type":"Queue","queuing":{"queues":0,)"
           R"("handSize":9,"queueLengthLimit":-1}}}}})",
       }) {
    const LevelConfig level = Parsed(ReadLevelConfig, json);
    EXPECT_GE(level.nominal_shares, 0);
    EXPECT_LE(level.lendable_percent, 100);
    if (!level.queuing) continue;
    EXPECT_GE(level.queuing->queues, 1U);
    EXPECT_LE(level.queuing->hand_size, level.queuing->queues);
    EXPECT_GE(level.queuing->length_limit, 1U);
  }
}

TEST(FlowConfigTest, ReadsASchema) {
  const FlowConfig flow = Parsed(
      ReadFlowConfig,
      R"({"metadata":{"name":"f","uid":"u"},"spec":{"priorityLevelConfiguration":{"name":"l"},)"
      R"("matchingPrecedence":12,"distinguisherMethod":{"type":"ByNamespace"},"rules":[{)"
      R"("subjects":[{"kind":"User","user":{"name":"a"}},{"kind":"Group","group":{"name":"b"}},)"
      R"({"kind":"ServiceAccount","serviceAccount":{"name":"c","namespace":"d"}},{"kind":"X"}],)"
      R"("resourceRules":[{"verbs":["get"],"apiGroups":[""],"resources":["pods"],)"
      R"("clusterScope":true,"namespaces":["n",5]}],)"
      R"("nonResourceRules":[{"verbs":["*"],"nonResourceURLs":["/x"]}]}]}})");
  EXPECT_EQ(flow.level, "l");
  EXPECT_EQ(flow.precedence, 12);
  EXPECT_EQ(flow.distinguisher, Distinguisher::ByNamespace);
  ASSERT_EQ(flow.rules.size(), 1U);
  EXPECT_EQ(flow.rules[0].subjects.size(), 3U);
  EXPECT_EQ(flow.rules[0].subjects[2].namespace_, "d");
  EXPECT_TRUE(flow.rules[0].resource_rules[0].has_cluster_scope);
  EXPECT_EQ(flow.rules[0].resource_rules[0].namespaces, std::vector<std::string>{"n"});
  EXPECT_EQ(flow.rules[0].non_resource_rules[0].urls, std::vector<std::string>{"/x"});
}

}  // namespace
}  // namespace plimsoll::apiserver
