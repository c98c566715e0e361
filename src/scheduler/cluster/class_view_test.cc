#include "scheduler/cluster/class_view.h"

#include <gtest/gtest.h>

#include "scheduler/objects_for_test.h"

namespace plimsoll::scheduler {
namespace {

std::string KeyOf(std::string_view spec, std::string_view metadata = {}) {
  std::string key;
  const ObjectPtr pod = PodFromYaml("p", spec, metadata);
  AppendClassKey(ClassView::Of(*pod->As<api::Pod>()), key);
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
           "{containers: [{name: a, image: i}], resourceClaims: [{name: c}]}",
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

TEST(AppendClassKeyTest, TellsInlineDisksApart) {
  const auto with_disk = [](std::string_view disk) {
    return KeyOf("{volumes: [{name: v, " + std::string(disk) + "}]}");
  };
  EXPECT_NE(with_disk("gcePersistentDisk: {pdName: a}"),
            with_disk("gcePersistentDisk: {pdName: b}"));
  EXPECT_NE(with_disk("gcePersistentDisk: {pdName: a}"),
            with_disk("gcePersistentDisk: {pdName: a, readOnly: true}"));
  EXPECT_EQ(with_disk("emptyDir: {}"), with_disk("emptyDir: {sizeLimit: 1Gi}"));
}

TEST(AppendClassKeyTest, TellsControllersApart) {
  const auto owned_by = [](std::string_view owner) {
    return KeyOf("{}", "ownerReferences: [{uid: u, " + std::string(owner) + "}]");
  };
  const std::string controller = owned_by("apiVersion: a, kind: k, name: one, controller: true");
  EXPECT_NE(owned_by("apiVersion: a, kind: k, name: one"), controller);
  EXPECT_NE(owned_by("apiVersion: b, kind: k, name: one, controller: true"), controller);
  EXPECT_NE(owned_by("apiVersion: a, kind: l, name: one, controller: true"), controller);
  EXPECT_NE(owned_by("apiVersion: a, kind: k, name: two, controller: true"), controller);
}

}  // namespace
}  // namespace plimsoll::scheduler
