#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/plugins/stage_for_test.h"

namespace plimsoll::scheduler {
namespace {

/// Returns a spec with one port, bound to `node` if that is not empty.
std::string WithPort(std::string_view port, std::string_view node = {}) {
  std::string spec = "{containers: [{name: c, ports: [{containerPort: 80, ";
  spec.append(port).append("}]}]");
  if (!node.empty()) spec.append(", nodeName: ").append(node);
  return spec + "}";
}

struct PortsCase {
  std::string used;
  std::string wanted;
  bool want_clash;
};

class NodePortsTest : public testing::TestWithParam<PortsCase> {};

TEST_P(NodePortsTest, RefusesANodeWhereThePortIsTaken) {
  const PortsCase& test = GetParam();
  Stage stage("NodePorts");
  stage.AddNode("node");
  stage.AddPod("other", WithPort(test.used, "node"));
  EXPECT_EQ(stage.Judge(WithPort(test.wanted))["node"],
            test.want_clash
                ? "Unschedulable: node(s) didn't have free ports for the requested pod ports"
                : "");
  EXPECT_EQ(stage.MayHelp(WithPort(test.wanted), EventResource::AssignedPod, kDelete,
                          PodFromYaml("other", WithPort(test.used, "node")), nullptr),
            test.want_clash);
}

INSTANTIATE_TEST_SUITE_P(
    All, NodePortsTest,
    testing::ValuesIn<PortsCase>({
        {"hostPort: 8080", "hostPort: 8080", true},
        {"hostPort: 8080", "hostPort: 8081", false},
        {"hostPort: 8080, protocol: UDP", "hostPort: 8080", false},
        {"hostPort: 8080, protocol: TCP", "hostPort: 8080", true},
        {"hostPort: 8080, hostIP: 10.0.0.1", "hostPort: 8080", true},
        {"hostPort: 8080", "hostPort: 8080, hostIP: 10.0.0.1", true},
        {"hostPort: 8080, hostIP: 0.0.0.0", "hostPort: 8080, hostIP: 10.0.0.1", true},
        {"hostPort: 8080, hostIP: 10.0.0.1", "hostPort: 8080, hostIP: 10.0.0.1", true},
        {"hostPort: 8080, hostIP: 10.0.0.1", "hostPort: 8080, hostIP: 10.0.0.2", false},
        {"name: none", "hostPort: 8080", false},
    }));

TEST(NodePortsSkipTest, APodWithoutHostPortsIsNotLookedAt) {
  Stage stage("NodePorts");
  EXPECT_EQ(stage.PreFilter(WithPort("name: none")).verdict, Verdict::Skip());
}

TEST(NodePortsHintTest, ANewNodeMayHelp) {
  Stage stage("NodePorts");
  EXPECT_TRUE(stage.MayHelp(WithPort("hostPort: 1"), EventResource::Node, kAdd, nullptr,
                            NodeFromYaml("node")));
}

}  // namespace
}  // namespace plimsoll::scheduler
