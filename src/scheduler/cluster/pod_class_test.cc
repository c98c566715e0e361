#include "scheduler/cluster/pod_class.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/cluster/node_row.h"
#include "scheduler/objects_for_test.h"

namespace plimsoll::scheduler {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

TEST(DescribeClassTest, CollectsHostPortsOnce) {
  Interner names;
  const PodClass described = DescribeClass(
      PodFromYaml("p",
                  "{containers: [{name: a, ports: [{containerPort: 1, hostPort: 80}, "
                  "{containerPort: 2, hostPort: 80, protocol: UDP}, {containerPort: 3}]}, {name: "
                  "b, ports: [{containerPort: 1, hostPort: 80, hostIP: 0.0.0.0}]}], "
                  "initContainers: [{name: i, ports: [{containerPort: 1, hostPort: 81}]}, {name: "
                  "s, restartPolicy: Always, ports: [{containerPort: 1, hostPort: 82}]}]}"),
      names);
  EXPECT_THAT(described.host_ports, SizeIs(3));
}

TEST(NodeRowTest, RemovingAPodUndoesAddingIt) {
  Interner names;
  const PodClass described =
      DescribeClass(PodFromYaml("p",
                                "{containers: [{name: a, ports: [{containerPort: 1, hostPort: 80}]"
                                ", resources: {requests: {cpu: 5m, a.b/c: '1'}}}]}"),
                    names);
  NodeRow row;
  row.AddPod(3, described);
  row.AddPod(4, described);
  row.RemovePod(3, described);
  EXPECT_EQ(row.requested.milli_cpu, 5);
  EXPECT_EQ(row.requested.scalar(names.Find("a.b/c")), 1);
  EXPECT_THAT(row.ports, SizeIs(1));
  row.RemovePod(4, described);
  EXPECT_EQ(row.scored_milli_cpu, 0);
  EXPECT_EQ(row.scored_memory, 0);
  EXPECT_THAT(row.pods, IsEmpty());
  EXPECT_THAT(row.ports, IsEmpty());
}

}  // namespace
}  // namespace plimsoll::scheduler
