#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/validation/object_for_test.h"

namespace plimsoll::api {
namespace {

class ValidateSmallKindsTest : public testing::TestWithParam<KindCase> {};

TEST_P(ValidateSmallKindsTest, HasTheseFaults) {
  EXPECT_THAT(FaultsOf(GetParam()), testing::ElementsAreArray(GetParam().want));
}

INSTANTIATE_TEST_SUITE_P(
    All, ValidateSmallKindsTest,
    testing::ValuesIn<KindCase>({
        {"Namespace",
         R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"a.b"},"spec":{"finalizers":["x"]}})",
         "",
         {R"(metadata.name: Invalid value: "a.b": must not contain dots)",
          R"(spec.finalizers: Invalid value: "x": name is neither a standard finalizer name nor is it fully qualified)"}},
        {"Priority",
         R"({"apiVersion":"scheduling.k8s.io/v1","kind":"PriorityClass","metadata":{"name":"x"},"value":1000000000})",
         "",
         {}},
        {"PriorityTooHigh",
         R"({"apiVersion":"scheduling.k8s.io/v1","kind":"PriorityClass","metadata":{"name":"x"},"value":1000000001})",
         "",
         {R"(value: Forbidden: maximum allowed value of a user defined priority is 1000000000)"}},
        {"SystemPriority",
         R"({"apiVersion":"scheduling.k8s.io/v1","kind":"PriorityClass","metadata":{"name":"system-node-critical"},"value":2000001000})",
         "",
         {}},
        {"SystemPriorityValue",
         R"({"apiVersion":"scheduling.k8s.io/v1","kind":"PriorityClass","metadata":{"name":"system-cluster-critical"},"value":1})",
         "",
         {R"(metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: value of system-cluster-critical PriorityClass must be 2000000000)"}},
        {"SystemPriorityDefault",
         R"({"apiVersion":"scheduling.k8s.io/v1","kind":"PriorityClass","metadata":{"name":"system-cluster-critical"},"value":2000000000,"globalDefault":true})",
         "",
         {R"(metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: globalDefault of system-cluster-critical PriorityClass must be false)"}},
        {"UnknownSystemPriority",
         R"({"apiVersion":"scheduling.k8s.io/v1","kind":"PriorityClass","metadata":{"name":"system-x"},"value":1})",
         "",
         {R"(metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: system-x is not a known system priority class)"}},
        {"PreemptionPolicy",
         R"({"apiVersion":"scheduling.k8s.io/v1","kind":"PriorityClass","metadata":{"name":"x"},"preemptionPolicy":"x"})",
         "",
         {R"(preemptionPolicy: Unsupported value: "x": supported values: "PreemptLowerPriority", "Never")"}},
        {"PriorityUpdate",
         R"({"apiVersion":"scheduling.k8s.io/v1","kind":"PriorityClass","metadata":{"name":"x"},"value":2,"preemptionPolicy":"Never"})",
         R"({"apiVersion":"scheduling.k8s.io/v1","kind":"PriorityClass","metadata":{"name":"x"},"value":1})",
         {R"(value: Forbidden: may not be changed in an update.)",
          R"(preemptionPolicy: Invalid value: "Never": field is immutable)"}},
        {"RuntimeClass",
         R"({"apiVersion":"node.k8s.io/v1","kind":"RuntimeClass","handler":"a.b","scheduling":{"tolerations":[{"operator":"Equal"}]}})",
         R"({"apiVersion":"node.k8s.io/v1","kind":"RuntimeClass","handler":"c"})",
         {R"(handler: Invalid value: "a.b": must not contain dots)",
          R"(scheduling.tolerations[0].operator: Invalid value: "Equal": operator must be Exists when `key` is empty, which means "match all values and all keys")",
          R"(handler: Invalid value: "a.b": field is immutable)"}},
        {"Lease",
         R"({"apiVersion":"coordination.k8s.io/v1","kind":"Lease","spec":{"leaseDurationSeconds":0,"leaseTransitions":-1}})",
         "",
         {R"(spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0)",
          R"(spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0)"}},
        {"Budget",
         R"({"apiVersion":"policy/v1","kind":"PodDisruptionBudget","spec":{"minAvailable":"50%","selector":{}}})",
         "",
         {}},
        {"BudgetOfBoth",
         R"({"apiVersion":"policy/v1","kind":"PodDisruptionBudget","spec":{"minAvailable":1,"maxUnavailable":"1%","selector":{"matchLabels":{"a":"b"}}}})",
         "",
         {R"(spec: Invalid value: {"MinAvailable":1,"Selector":{"matchLabels":{"a":"b"}},"MaxUnavailable":"1%","UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set)"}},
        {"BudgetAmounts",
         R"({"apiVersion":"policy/v1","kind":"PodDisruptionBudget","spec":{"minAvailable":-1}})",
         "",
         {R"(spec.minAvailable: Invalid value: -1: must be greater than or equal to 0)"}},
        {"BudgetPercent",
         R"({"apiVersion":"policy/v1","kind":"PodDisruptionBudget","spec":{"maxUnavailable":"101%","unhealthyPodEvictionPolicy":"x"}})",
         "",
         {R"(spec.maxUnavailable: Invalid value: "101%": must not be greater than 100%)",
          R"(spec.unhealthyPodEvictionPolicy: Unsupported value: "x": supported values: "AlwaysAllow", "IfHealthyBudget")"}},
        {"Revision",
         R"({"apiVersion":"apps/v1","kind":"ControllerRevision","revision":-1})",
         "",
         {R"(data: Required value: data is mandatory)",
          R"(revision: Invalid value: -1: must be greater than or equal to 0)"}},
        {"RevisionUpdate",
         R"({"apiVersion":"apps/v1","kind":"ControllerRevision","data":{"a":1}})",
         R"({"apiVersion":"apps/v1","kind":"ControllerRevision","data":{"a":2}})",
         {R"(data: Invalid value: {"a":1}: field is immutable)"}},
        {"Binding",
         R"({"apiVersion":"v1","kind":"Binding","target":{"kind":"Pod"}})",
         "",
         {R"(target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>")",
          R"(target.name: Required value)"}},
    }),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace plimsoll::api
