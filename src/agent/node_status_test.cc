#include "agent/node_status.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codec/json.h"
#include "codec/yaml.h"

namespace plimsoll::agent {
namespace {

using std::chrono::hours;
using testing::ElementsAre;
using testing::HasSubstr;

ObjectPtr Read(const std::string& yaml) {
  auto documents = codec::ParseYaml(yaml);
  EXPECT_TRUE(documents.has_value()) << yaml;
  auto decoded = api::DecodeObject(std::shared_ptr(std::move(documents->front())));
  EXPECT_TRUE(decoded.has_value()) << yaml;
  return decoded->object;
}

std::vector<std::string> Texts(const NodeConditions& conditions) {
  std::vector<std::string> texts;
  for (const NodeCondition& one : conditions) {
    texts.push_back(one.type + "=" + one.status + " " + one.reason + ": " + one.message);
  }
  return texts;
}

const Instant kNow(hours(24));

TEST(NodeStatusTest, AHealthyNodeSaysWhatUpstreamSays) {
  EXPECT_THAT(
      Texts(ConditionsOf({}, {}, kNow)),
      ElementsAre("MemoryPressure=False KubeletHasSufficientMemory: kubelet has sufficient memory "
                  "available",
                  "DiskPressure=False KubeletHasNoDiskPressure: kubelet has no disk pressure",
                  "PIDPressure=False KubeletHasSufficientPID: kubelet has sufficient PID available",
                  "Ready=True KubeletReady: kubelet is posting ready status"));
}

TEST(NodeStatusTest, AnnotationsSetConditions) {
  const api::StringMap annotations{{"plimsoll.io/condition.DiskPressure", "True"},
                                   {"plimsoll.io/condition.Ready", "False:Hot:fan: stopped"},
                                   {"plimsoll.io/condition.Rusty", "True"}};
  const NodeConditions conditions = ConditionsOf(annotations, {}, kNow);
  EXPECT_THAT(
      Texts(conditions),
      ElementsAre(testing::_, "DiskPressure=True KubeletHasDiskPressure: kubelet has disk pressure",
                  testing::_, "Ready=False Hot: fan: stopped",
                  "Rusty=True Simulated: set by the annotation plimsoll.io/condition.Rusty"));
  EXPECT_EQ(EventReason(conditions[1]), "NodeHasDiskPressure");
  EXPECT_EQ(EventReason(conditions[2]), "NodeHasSufficientPID");
  EXPECT_EQ(EventReason(conditions[3]), "NodeNotReady");
  EXPECT_EQ(EventReason(conditions[4]), "");
  EXPECT_TRUE(IsTrue(conditions, "Rusty"));
  EXPECT_FALSE(IsTrue(conditions, "Ready"));
  EXPECT_FALSE(IsTrue(conditions, "Unknown"));
}

TEST(NodeStatusTest, AConditionThatStaysKeepsItsTime) {
  const NodeConditions before = ConditionsOf({}, {}, kNow);
  const NodeConditions after =
      ConditionsOf({{"plimsoll.io/condition.Ready", "False"}}, before, kNow + hours(1));
  EXPECT_EQ(after[0].since, kNow);
  EXPECT_EQ(after[3].since, kNow + hours(1));
}

TEST(NodeStatusTest, ReadsWhatItWrote) {
  const HostedNode hosted{.name = "n1",
                          .metadata = R"({"name":"n1"})",
                          .spec = "{}",
                          .status = R"({"capacity":{"cpu":"4"},"allocatable":{"cpu":"4"}})",
                          .address = {}};
  const NodeConditions conditions = ConditionsOf({}, {}, kNow);
  auto document = codec::ParseJson(NodeJson(hosted, {.conditions = conditions,
                                                     .dropped = {},
                                                     .now = kNow,
                                                     .images = {},
                                                     .address = "10.0.0.1",
                                                     .hostname = "n1",
                                                     .status = hosted.status,
                                                     .runtime = "x://1"}));
  ASSERT_TRUE(document.has_value());
  const auto decoded = api::DecodeObject(std::shared_ptr(std::move(*document)));
  ASSERT_TRUE(decoded.has_value()) << decoded.error().Text();
  const api::Object& node = *decoded->object;
  EXPECT_EQ(ReadAddress(node), "10.0.0.1");
  EXPECT_TRUE(HasCapacity(node));
  const NodeConditions read = ReadConditions(node);
  ASSERT_EQ(read.size(), conditions.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    EXPECT_TRUE(read[i].EqualsIgnoringTime(conditions[i]));
    EXPECT_EQ(read[i].since, kNow);
  }
}

TEST(NodeStatusTest, APatchHasWhatHasChanged) {
  const ObjectPtr node = Read("{apiVersion: v1, kind: Node, metadata: {name: n1, uid: u}}");
  EXPECT_EQ(ReadAddress(*node), "");
  EXPECT_FALSE(HasCapacity(*node));
  EXPECT_TRUE(ReadConditions(*node).empty());
  const NodeConditions conditions = ConditionsOf({}, {}, kNow);
  NodeReport report{.conditions = conditions,
                    .dropped = {"Rusty"},
                    .now = kNow,
                    .images = std::vector<NodeImageEntry>{{"web:1", 5}},
                    .address = {},
                    .hostname = {},
                    .status = {},
                    .runtime = {}};
  const std::string patch = NodeStatusPatch(*node, report);
  EXPECT_THAT(patch, HasSubstr(R"("metadata":{"uid":"u"})"));
  EXPECT_THAT(patch, HasSubstr(R"({"$patch":"delete","type":"Rusty"})"));
  EXPECT_THAT(patch, HasSubstr(R"("images":[{"names":["web:1"],"sizeBytes":5}])"));
  EXPECT_EQ(patch.find("addresses"), std::string::npos);
}

TEST(NodeStatusTest, ReadsTheSwitches) {
  EXPECT_TRUE(IsSilenced({{"plimsoll.io/heartbeats", "false"}}));
  EXPECT_FALSE(IsSilenced({{"plimsoll.io/heartbeats", "true"}}));
  EXPECT_TRUE(IsSimulated({{"plimsoll.io/simulated", "true"}}));
  EXPECT_FALSE(IsSimulated({}));
}

TEST(NodeStatusTest, ALeaseGoesWithItsNode) {
  const ObjectPtr node = Read("{apiVersion: v1, kind: Node, metadata: {name: n1, uid: u}}");
  auto document = codec::ParseJson(LeaseJson(*node, std::chrono::seconds(40), kNow));
  ASSERT_TRUE(document.has_value());
  EXPECT_EQ(codec::WriteJson(*(*document)->root().Find("spec")),
            R"({"holderIdentity":"n1","leaseDurationSeconds":40,)"
            R"("renewTime":"1970-01-02T00:00:00.000000Z"})");
}

}  // namespace
}  // namespace plimsoll::agent
