#include <gtest/gtest.h>

#include "api/defaults/defaults_case_for_test.h"

namespace plimsoll::api {
namespace {

class DefaultSmallKindsTest : public testing::TestWithParam<DefaultsCase> {};

TEST_P(DefaultSmallKindsTest, AreAnApiServers) { EXPECT_EQ(DefaultsFault(GetParam()), ""); }

INSTANTIATE_TEST_SUITE_P(
    All, DefaultSmallKindsTest,
    testing::ValuesIn<DefaultsCase>({
        {"Namespace",
         R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"shop","labels":)"
         R"({"kubernetes.io/metadata.name":"other","a":"b"}}})",
         "",
         R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"shop","labels":)"
         R"({"kubernetes.io/metadata.name":"shop","a":"b"}},"spec":{},"status":)"
         R"({"phase":"Active"}})"},
        {"FlowSchema",
         R"({"apiVersion":"flowcontrol.apiserver.k8s.io/v1","kind":"FlowSchema","spec":{}})",
         "spec.matchingPrecedence", "1000"},
        {"PriorityLevel",
         R"({"apiVersion":"flowcontrol.apiserver.k8s.io/v1","kind":"PriorityLevelConfiguration",)"
         R"("spec":{"type":"Limited","limited":{"limitResponse":{"type":"Queue","queuing":)"
         R"({"queues":0}}}}})",
         "spec.limited",
         R"({"nominalConcurrencyShares":30,"lendablePercent":0,"limitResponse":{"type":"Queue",)"
         R"("queuing":{"queues":64,"handSize":8,"queueLengthLimit":50}}})"},
        {"PriorityLevelWithoutShares",
         R"({"apiVersion":"flowcontrol.apiserver.k8s.io/v1","kind":"PriorityLevelConfiguration",)"
         R"("spec":{"limited":{"nominalConcurrencyShares":0}}})",
         "spec.limited.nominalConcurrencyShares", "0"},
        {"NamelessNamespace",
         R"({"apiVersion":"v1","kind":"Namespace","metadata":{"generateName":"n-"}})", "metadata",
         R"({"generateName":"n-"})"},
        {"Secret",
         R"({"apiVersion":"v1","kind":"Secret","data":{"a":"YQ==","b":"YQ=="},"stringData":)"
         R"({"b":"b","c":""}})",
         "",
         R"({"apiVersion":"v1","kind":"Secret","type":"Opaque","data":)"
         R"({"a":"YQ==","b":"Yg==","c":""}})"},
        {"SecretWithoutTexts", R"({"apiVersion":"v1","kind":"Secret","stringData":{}})", "",
         R"({"apiVersion":"v1","kind":"Secret","type":"Opaque"})"},
        {"ReplicationController",
         R"({"apiVersion":"v1","kind":"ReplicationController","spec":{"template":{"metadata":)"
         R"({"labels":{"a":"b"}}}}})",
         "spec.selector", R"({"a":"b"})"},
        {"ReplicationControllerLabels",
         R"({"apiVersion":"v1","kind":"ReplicationController","spec":{"template":{"metadata":)"
         R"({"labels":{"a":"b"}}}}})",
         "metadata.labels", R"({"a":"b"})"},
        {"BareReplicationController", R"({"apiVersion":"v1","kind":"ReplicationController"})",
         "spec", R"({"replicas":1,"minReadySeconds":0})"},
        {"CsiDriver", R"({"apiVersion":"storage.k8s.io/v1","kind":"CSIDriver"})", "spec",
         R"({"attachRequired":true,"fsGroupPolicy":"ReadWriteOnceWithFSType","podInfoOnMount":)"
         R"(false,"requiresRepublish":false,"seLinuxMount":false,"storageCapacity":false,)"
         R"("volumeLifecycleModes":["Persistent"]})"},
        {"StorageClass", R"({"apiVersion":"storage.k8s.io/v1","kind":"StorageClass"})", "",
         R"({"apiVersion":"storage.k8s.io/v1","kind":"StorageClass","reclaimPolicy":"Delete",)"
         R"("volumeBindingMode":"Immediate"})"},
        {"PriorityClass", R"({"apiVersion":"scheduling.k8s.io/v1","kind":"PriorityClass"})", "",
         R"({"apiVersion":"scheduling.k8s.io/v1","kind":"PriorityClass","preemptionPolicy":)"
         R"("PreemptLowerPriority"})"},
        {"Endpoints",
         R"({"apiVersion":"v1","kind":"Endpoints","subsets":[{"ports":[{"port":1}]}]})", "subsets",
         R"([{"ports":[{"port":1,"protocol":"TCP"}]}])"},
        {"RoleBinding",
         R"({"apiVersion":"rbac.authorization.k8s.io/v1","kind":"RoleBinding","roleRef":)"
         R"({"kind":"Role","name":"r"},"subjects":[{"kind":"User","name":"u"},)"
         R"({"kind":"Group","name":"g","apiGroup":"x"},{"kind":"ServiceAccount","name":"s"}]})",
         "",
         R"({"apiVersion":"rbac.authorization.k8s.io/v1","kind":"RoleBinding","roleRef":)"
         R"({"kind":"Role","name":"r","apiGroup":"rbac.authorization.k8s.io"},"subjects":)"
         R"([{"kind":"User","name":"u","apiGroup":"rbac.authorization.k8s.io"},)"
         R"({"kind":"Group","name":"g","apiGroup":"x"},{"kind":"ServiceAccount","name":"s"}]})"},
        {"RuntimeClassOverhead",
         R"({"apiVersion":"node.k8s.io/v1","kind":"RuntimeClass","handler":"h","overhead":)"
         R"({"podFixed":{"cpu":"1u"}}})",
         "overhead.podFixed.cpu", R"("1m")"},
    }),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace plimsoll::api
