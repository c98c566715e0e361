#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/validation/object_for_test.h"

namespace plimsoll::api {
namespace {

class ValidateStorageKindsTest : public testing::TestWithParam<KindCase> {};

TEST_P(ValidateStorageKindsTest, HasTheseFaults) {
  EXPECT_THAT(FaultsOf(GetParam()), testing::ElementsAreArray(GetParam().want));
}

INSTANTIATE_TEST_SUITE_P(
    All, ValidateStorageKindsTest,
    testing::ValuesIn<KindCase>({
        {"Class",
         R"({"apiVersion":"storage.k8s.io/v1","kind":"StorageClass","provisioner":"a.b/C"})",
         "",
         {}},
        {"ClassFaults",
         R"({"apiVersion":"storage.k8s.io/v1","kind":"StorageClass","provisioner":"","reclaimPolicy":"x","volumeBindingMode":"y","parameters":{"":"a"}})",
         "",
         {R"(provisioner: Required value)",
          R"(parameters: Invalid value: "": field can not be empty.)",
          R"(reclaimPolicy: Unsupported value: "x": supported values: "Delete", "Retain")",
          R"(volumeBindingMode: Unsupported value: "y": supported values: "Immediate", "WaitForFirstConsumer")"}},
        {"ClassUpdate",
         R"({"apiVersion":"storage.k8s.io/v1","kind":"StorageClass","provisioner":"a","reclaimPolicy":"Retain","parameters":{"a":"b"},"volumeBindingMode":"WaitForFirstConsumer"})",
         R"({"apiVersion":"storage.k8s.io/v1","kind":"StorageClass","provisioner":"b"})",
         {R"(parameters: Forbidden: updates to parameters are forbidden.)",
          R"(provisioner: Forbidden: updates to provisioner are forbidden.)",
          R"(reclaimPolicy: Forbidden: updates to reclaimPolicy are forbidden.)",
          R"(volumeBindingMode: Invalid value: "WaitForFirstConsumer": field is immutable)"}},
        {"Node",
         R"({"apiVersion":"storage.k8s.io/v1","kind":"CSINode","spec":{"drivers":[{"name":"a","nodeID":"n"},{"name":"a","nodeID":"","allocatable":{"count":-1},"topologyKeys":["k","k"]}]}})",
         "",
         {R"(spec.drivers[1].nodeID: Required value)",
          R"(spec.drivers[1].allocatable.count: Invalid value: -1: must be greater than or equal to 0)",
          R"(spec.drivers[1].name: Duplicate value: "a")",
          R"(spec.drivers[1].topologyKeys: Duplicate value: "k")"}},
        {"NodeUpdate",
         R"({"apiVersion":"storage.k8s.io/v1","kind":"CSINode","spec":{"drivers":[{"name":"a","nodeID":"m","allocatable":{"count":2}}]}})",
         R"({"apiVersion":"storage.k8s.io/v1","kind":"CSINode","spec":{"drivers":[{"name":"a","nodeID":"n","allocatable":{"count":1}}]}})",
         {R"(CSINodeDriver: Invalid value: {"name":"a","nodeID":"m","allocatable":{"count":2}}: field is immutable)"}},
        {"NodeCountUpdate",
         R"({"apiVersion":"storage.k8s.io/v1","kind":"CSINode","spec":{"drivers":[{"name":"a","nodeID":"n","allocatable":{"count":2}}]}})",
         R"({"apiVersion":"storage.k8s.io/v1","kind":"CSINode","spec":{"drivers":[{"name":"a","nodeID":"n","allocatable":{"count":1}}]}})",
         {}},
        {"Driver",
         R"({"apiVersion":"storage.k8s.io/v1","kind":"CSIDriver","spec":{"fsGroupPolicy":"x","volumeLifecycleModes":["y"]}})",
         "",
         {R"(spec.fsGroupPolicy: Unsupported value: "x": supported values: "File", "None", "ReadWriteOnceWithFSType")",
          R"(spec.volumeLifecycleModes: Unsupported value: "y": supported values: "Ephemeral", "Persistent")"}},
        {"DriverUpdate",
         R"({"apiVersion":"storage.k8s.io/v1","kind":"CSIDriver","spec":{"attachRequired":false}})",
         R"({"apiVersion":"storage.k8s.io/v1","kind":"CSIDriver","spec":{}})",
         {R"(spec.attachedRequired: Invalid value: false: field is immutable)"}},
        {"Capacity",
         R"({"apiVersion":"storage.k8s.io/v1","kind":"CSIStorageCapacity","storageClassName":"a","capacity":"-1"})",
         "",
         {R"(capacity: Invalid value: "-1": must be greater than or equal to 0)"}},
        {"CapacityUpdate",
         R"({"apiVersion":"storage.k8s.io/v1","kind":"CSIStorageCapacity","storageClassName":"a","nodeTopology":{"matchLabels":{"a":"b"}}})",
         R"({"apiVersion":"storage.k8s.io/v1","kind":"CSIStorageCapacity","storageClassName":"b"})",
         {R"(nodeTopology: Invalid value: {"matchLabels":{"a":"b"}}: field is immutable)",
          R"(storageClassName: Invalid value: "a": field is immutable)"}},
        {"Attachment",
         R"({"apiVersion":"storage.k8s.io/v1","kind":"VolumeAttachment","spec":{"attacher":"a","nodeName":"n","source":{}}})",
         "",
         {R"(spec.source: Required value: must specify exactly one of inlineVolumeSpec and persistentVolumeName)"}},
        {"AttachmentUpdate",
         R"({"apiVersion":"storage.k8s.io/v1","kind":"VolumeAttachment","spec":{"attacher":"a","nodeName":"n","source":{"persistentVolumeName":"v"}}})",
         R"({"apiVersion":"storage.k8s.io/v1","kind":"VolumeAttachment","spec":{"attacher":"b","nodeName":"n","source":{"persistentVolumeName":"v"}}})",
         {R"(spec: Invalid value: {"attacher":"a","nodeName":"n","source":{"persistentVolumeName":"v"}}: field is immutable)"}},
    }),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace plimsoll::api
