#include "scheduler/cluster/pod_class.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/cluster/node_row.h"
#include "scheduler/objects_for_test.h"

namespace plimsoll::scheduler {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

std::string KeyOf(std::string_view spec, std::string_view metadata = {}) {
  std::string key;
  AppendClassKey(*PodFromYaml("p", spec, metadata)->As<api::Pod>(), key);
  return key;
}

TEST(AppendClassKeyTest, TellsApartWhatPlacementDependsOn) {
  const std::string plain = KeyOf("{containers: [{name: a, image: i}]}");
  for (const std::string_view spec : {
           "{containers: [{name: a, image: j}]}",
           "{containers: [{name: a, image: i, resources: {requests: {cpu: 1m}}}]}",
           "{containers: [{name: a, image: i, ports: [{containerPort: 1, hostPort: 1}]}]}",
           "{containers: [{name: a, image: i}], priority: 1}",
           "{containers: [{name: a, image: i}], nodeSelector: {a: b}}",
           "{containers: [{name: a, image: i}], tolerations: [{key: k}]}",
           "{containers: [{name: a, image: i}], tolerations: [{expression: 'true'}]}",
           "{containers: [{name: a, image: i}], overhead: {cpu: 1m}}",
           "{containers: [{name: a, image: i}], resources: {requests: {cpu: 1m}}}",
           "{containers: [{name: a, image: i}], schedulerName: other}",
           "{containers: [{name: a, image: i}], preemptionPolicy: Never}",
           "{containers: [{name: a, image: i}], initContainers: [{name: b}]}",
           "{containers: [{name: a, image: i}], affinity: {podAffinity: "
           "{requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: t}]}}}",
           "{containers: [{name: a, image: i}], topologySpreadConstraints: [{maxSkew: 1}]}",
           "{containers: [{name: a, image: i}], volumes: [{name: v, persistentVolumeClaim: "
           "{claimName: c}}]}",
           "{containers: [{name: a, image: i}], volumes: [{name: v, ephemeral: {}}]}",
       }) {
    EXPECT_NE(KeyOf(spec), plain) << spec;
  }
  EXPECT_NE(KeyOf("{containers: [{name: a, image: i}]}", "labels: {a: b}"), plain);
}

TEST(AppendClassKeyTest, LeavesOutWhatItDoesNotDependOn) {
  const std::string plain = KeyOf("{containers: [{name: a, image: i}]}");
  EXPECT_EQ(KeyOf("{containers: [{name: b, image: i}], nodeName: node-1, hostname: h}"), plain);
  EXPECT_EQ(KeyOf("{containers: [{name: a, image: i, resources: {limits: {cpu: 1m}}}]}"), plain);
  EXPECT_EQ(KeyOf("{containers: [{name: a, image: i}]}", "annotations: {a: b}"), plain);
}

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
