#include "apiserver/admission/node_restriction.h"

#include <gtest/gtest.h>

#include "apiserver/admission/admission_for_test.h"

namespace plimsoll::apiserver {
namespace {

struct RestrictionCase {
  std::string name;
  AdmissionCase ask;
  std::string refusal;  // empty: let through
};

class NodeRestrictionTest : public testing::TestWithParam<RestrictionCase> {};

const User kNode{.name = "system:node:n1", .groups = {"system:nodes"}};

TEST_P(NodeRestrictionTest, KeepsAnAgentToItsOwn) {
  AdmissionFixture server;
  NodeRestriction gate(server.cache(), server.Of("pods"));
  server.PutPod("default", "mine", "n1");
  server.PutPod("default", "theirs", "n2");
  AdmissionCase ask = GetParam().ask;
  ask.user = kNode;
  const std::string got = server.Ask(gate, ask);
  EXPECT_EQ(got.starts_with("403 ") ? got.substr(4) : "", GetParam().refusal);
  ask.user = {.name = "jane"};
  EXPECT_FALSE(server.Ask(gate, ask).starts_with("403")) << "people are not the gate's business";
}

std::string Node(std::string_view name, std::string_view labels = "", std::string_view spec = "") {
  return R"({"metadata":{"name":")" + std::string(name) + R"(","labels":{)" + std::string(labels) +
         R"(}},"spec":{)" + std::string(spec) + "}}";
}

std::string Pod(std::string_view name, std::string_view node) {
  return R"({"metadata":{"name":")" + std::string(name) +
         R"(","namespace":"default"},"spec":{"nodeName":")" + std::string(node) + R"("}})";
}

constexpr auto kUpdate = Operation::Update;
constexpr std::string_view kTaints = R"("taints":[{"key":"k","effect":"NoSchedule"}])";

INSTANTIATE_TEST_SUITE_P(
    All, NodeRestrictionTest,
    testing::ValuesIn<RestrictionCase>({
        {"OwnNode", {.plural = "nodes", .object = Node("n1", "", kTaints)}, ""},
        {"OtherNode",
         {.plural = "nodes", .object = Node("n2")},
         R"(nodes "n2" is forbidden: node "n1" is not allowed to modify node "n2")"},
        {"OwnTaints",
         {.operation = kUpdate,
          .plural = "nodes",
          .object = Node("n1", "", kTaints),
          .before = Node("n1")},
         R"(nodes "n1" is forbidden: node "n1" is not allowed to modify taints)"},
        {"OwnHostnameLabel",
         {.operation = kUpdate,
          .plural = "nodes",
          .object = Node("n1", R"("kubernetes.io/hostname":"h","example.com/x":"y")"),
          .before = Node("n1")},
         ""},
        {"RestrictedLabel",
         {.operation = kUpdate,
          .plural = "nodes",
          .object = Node("n1"),
          .before = Node("n1", R"("node-restriction.kubernetes.io/a":"b")")},
         R"(nodes "n1" is forbidden: node "n1" is not allowed to modify labels: )"
         "node-restriction.kubernetes.io/a"},
        {"RestrictedLabelAtBirth",
         {.plural = "nodes", .object = Node("n1", R"("node-role.kubernetes.io/x":"")")},
         R"(nodes "n1" is forbidden: node "n1" is not allowed to set the following labels: )"
         "node-role.kubernetes.io/x"},
        {"StatusOfOwnPod",
         {.operation = kUpdate,
          .object = Pod("mine", "n1"),
          .before = Pod("mine", "n1"),
          .subresource = "status"},
         ""},
        {"StatusOfAnothersPod",
         {.operation = kUpdate,
          .object = Pod("theirs", "n2"),
          .before = Pod("theirs", "n2"),
          .subresource = "status"},
         R"(pods "theirs" is forbidden: node "n1" can only update pod status for pods with )"
         "spec.nodeName set to itself"},
        {"DeleteAnothersPod",
         {.operation = Operation::Delete, .before = Pod("theirs", "n2")},
         R"(pods "theirs" is forbidden: node "n1" can only delete pods with spec.nodeName set to )"
         "itself"},
        {"EvictAnothersPod",
         {.object = R"({"metadata":{"name":"theirs","namespace":"default"}})",
          .subresource = "eviction"},
         R"(pods "theirs" is forbidden: node "n1" can only evict pods with spec.nodeName set to )"
         "itself"},
        {"OwnLease",
         {.plural = "leases",
          .group = "coordination.k8s.io",
          .object = R"({"metadata":{"name":"n1","namespace":"kube-node-lease"}})"},
         ""},
        {"OthersLease",
         {.plural = "leases",
          .group = "coordination.k8s.io",
          .object = R"({"metadata":{"name":"n2","namespace":"kube-node-lease"}})"},
         R"(leases.coordination.k8s.io "n2" is forbidden: can only access node lease with the same )"
         "name as the requesting node"},
    }),
    [](const auto& test) { return test.param.name; });

TEST(IsNodeLabelAllowedTest, ForeignDomainsAreFree) {
  EXPECT_TRUE(IsNodeLabelAllowed("plain"));
  EXPECT_TRUE(IsNodeLabelAllowed("example.com/x"));
  EXPECT_TRUE(IsNodeLabelAllowed("kubelet.kubernetes.io/x"));
  EXPECT_TRUE(IsNodeLabelAllowed("sub.node.kubernetes.io/x"));
  EXPECT_FALSE(IsNodeLabelAllowed("xkubelet.kubernetes.io/x"));
  EXPECT_FALSE(IsNodeLabelAllowed("k8s.io/x"));
  EXPECT_TRUE(IsNodeLabelAllowed("notk8s.io/x"));
}

}  // namespace
}  // namespace plimsoll::apiserver
