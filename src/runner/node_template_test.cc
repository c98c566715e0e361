#include "runner/node_template.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plimsoll::runner {
namespace {

using testing::HasSubstr;

struct FillInCase {
  std::string text;
  std::int64_t number;
  std::string want;  // empty: rejected
};

TEST(NodeTemplateTest, FillsInPatterns) {
  for (const FillInCase& test : std::vector<FillInCase>{
           {"plain", 7, "plain"},
           {"node-{{i}}", 7, "node-7"},
           {"{{i:4}}", 7, "0007"},
           {"{{i%3}}-{{i/3}}", 7, "1-2"},
           {"{{i/10%3+1}}", 57, "3"},
           {"{{i*2-1:2}}", 3, "05"},
           {"{{a|b|c}}", 4, "b"},
           {"{{|x}}", 0, ""},
           {"{i}", 7, "{i}"},
           {"{{i", 7, "{{i"},
       }) {
    const auto filled = FillIn(test.text, test.number);
    ASSERT_TRUE(filled) << test.text;
    EXPECT_EQ(*filled, test.want);
  }
  for (const char* text :
       {"{{}}", "{{j}}", "{{i%0}}", "{{i/0}}", "{{i+}}", "{{i^2}}", "{{i:2+1}}", "{{i:64}}",
        "{{i*9223372036854775807*2}}", "{{i+9223372036854775807}}"}) {
    EXPECT_FALSE(FillIn(text, 1)) << text;
  }
}

TEST(NodeTemplateTest, CompletesWhatTheTextLeavesOut) {
  const auto nodes = MakeNodes({.text = R"(
apiVersion: v1
kind: Node
metadata:
  name: worker-{{i:2}}
  labels: {zone: "{{a|b}}", kubernetes.io/arch: arm64}
spec:
  taints: [{key: failure-probability, value: "{{i%20}}", effect: NoSchedule}]
status:
  addresses: [{type: InternalIP, address: "10.1.0.{{i}}"}]
  capacity: {cpu: "8"}
  nodeInfo: {kernelVersion: "6.{{i}}.0"}
)",
                                .count = 2,
                                .first = 5,
                                .version = "v1.2.3"});
  ASSERT_TRUE(nodes) << nodes.error().Text();
  ASSERT_EQ(nodes->size(), 2u);
  const agent::HostedNode& node = (*nodes)[1];
  EXPECT_EQ(node.name, "worker-06");
  EXPECT_EQ(node.address, "10.1.0.6");
  EXPECT_THAT(node.metadata, HasSubstr(R"("zone":"a")"));
  EXPECT_THAT(node.metadata, HasSubstr(R"("kubernetes.io/hostname":"worker-06")"));
  EXPECT_THAT(node.metadata, HasSubstr(R"("beta.kubernetes.io/arch":"arm64")"));
  EXPECT_THAT(node.spec, HasSubstr(R"("value":"6")"));
  EXPECT_THAT(node.status, HasSubstr(R"("allocatable":{"cpu":"8","memory":"256Gi")"));
  EXPECT_THAT(node.status, HasSubstr(R"("kernelVersion":"6.6.0")"));
  EXPECT_THAT(node.status, HasSubstr(R"("kubeletVersion":"v1.2.3")"));
  EXPECT_EQ(node.status.find("addresses"), std::string::npos);
}

TEST(NodeTemplateTest, HasATemplateOfItsOwn) {
  const auto nodes = MakeNodes({.text = {}, .count = 4, .version = "v1"});
  ASSERT_TRUE(nodes);
  EXPECT_EQ((*nodes)[3].name, "node-3");
  EXPECT_THAT((*nodes)[3].metadata, HasSubstr(R"("topology.kubernetes.io/zone":"zone-a")"));
  EXPECT_THAT(DefaultNodeStatus({.text = {}, .version = "v1"}), HasSubstr(R"("pods":"110")"));
}

TEST(NodeTemplateTest, RefusesWhatMakesNoNodes) {
  const auto fault = [](const std::string& text) {
    const auto nodes = MakeNodes({.text = text, .count = 2, .version = "v1"});
    return nodes ? "" : nodes.error().Text();
  };
  EXPECT_THAT(fault("{apiVersion: v1, kind: Node, metadata: {name: one}}"),
              HasSubstr("two nodes the name 'one'"));
  EXPECT_THAT(fault("{apiVersion: v1, kind: Pod, metadata: {name: one}}"),
              HasSubstr("must be a Node"));
  EXPECT_THAT(fault("{apiVersion: v1, kind: Node, metadata: {name: a{{j}}}}"),
              HasSubstr("is not a pattern"));
  EXPECT_THAT(fault("{apiVersion: v1, kind: Node, metadata: {name: 'a{{i}}'}, spce: {}}"),
              HasSubstr("spce"));
}

}  // namespace
}  // namespace plimsoll::runner
