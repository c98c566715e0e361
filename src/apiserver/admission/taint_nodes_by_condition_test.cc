#include "apiserver/admission/taint_nodes_by_condition.h"

#include <gtest/gtest.h>

#include "apiserver/admission/admission_for_test.h"

namespace plimsoll::apiserver {
namespace {

std::string Node(const std::string& taints) {
  return R"({"metadata":{"name":"n1"},"spec":{"taints":[)" + taints + "]}}";
}

TEST(TaintNodesByConditionTest, ANewNodeIsNotReady) {
  AdmissionFixture server;
  TaintNodesByCondition gate;
  const std::string not_ready = R"({"key":"node.kubernetes.io/not-ready","effect":"NoSchedule"})";
  EXPECT_EQ(server.Ask(gate, {.plural = "nodes", .object = Node("")}), Node(not_ready));
  EXPECT_EQ(server.Ask(gate, {.plural = "nodes", .object = Node(not_ready)}), Node(not_ready));
  EXPECT_EQ(server.Ask(gate, {.operation = Operation::Update,
                              .plural = "nodes",
                              .object = Node(""),
                              .before = Node("")}),
            Node(""));
}

}  // namespace
}  // namespace plimsoll::apiserver
