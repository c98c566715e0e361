#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/validation/object_for_test.h"

namespace plimsoll::api {
namespace {

class ValidateRbacTest : public testing::TestWithParam<KindCase> {};

TEST_P(ValidateRbacTest, HasTheseFaults) {
  EXPECT_THAT(FaultsOf(GetParam()), testing::ElementsAreArray(GetParam().want));
}

INSTANTIATE_TEST_SUITE_P(
    All, ValidateRbacTest,
    testing::ValuesIn<KindCase>({
        {"NamesNeedNoSubdomain",
         R"({"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":{"name":"system:Node"}})",
         "",
         {}},
        {"NamesArePathSegments",
         R"({"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":{"name":"a/b%"}})",
         "",
         {R"(metadata.name: Invalid value: "a/b%": may not contain '/')",
          R"(metadata.name: Invalid value: "a/b%": may not contain '%')"}},
        {"EmptyRule",
         R"({"apiVersion":"rbac.authorization.k8s.io/v1","kind":"Role","rules":[{}]})",
         "",
         {R"(rules[0].verbs: Required value: verbs must contain at least one value)",
          R"(rules[0].apiGroups: Required value: resource rules must supply at least one api group)",
          R"(rules[0].resources: Required value: resource rules must supply at least one resource)"}},
        {"Paths",
         R"({"apiVersion":"rbac.authorization.k8s.io/v1","kind":"Role","rules":[{"verbs":["get"],"nonResourceURLs":["/x"],"resources":["pods"]}]})",
         "",
         {R"(rules[0].nonResourceURLs: Invalid value: ["/x"]: namespaced rules cannot apply to non-resource URLs)",
          R"(rules[0].nonResourceURLs: Invalid value: ["/x"]: rules cannot apply to both regular resources and non-resource URLs)"}},
        {"ClusterPaths",
         R"({"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","rules":[{"verbs":["get"],"nonResourceURLs":["/x"]}]})",
         "",
         {}},
        {"Aggregation",
         R"({"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","aggregationRule":{}})",
         "",
         {R"(aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil)"}},
        {"RoleRef",
         R"({"apiVersion":"rbac.authorization.k8s.io/v1","kind":"RoleBinding","roleRef":{"apiGroup":"x","kind":"y","name":""}})",
         "",
         {R"(roleRef.apiGroup: Unsupported value: "x": supported values: "rbac.authorization.k8s.io")",
          R"(roleRef.kind: Unsupported value: "y": supported values: "Role", "ClusterRole")",
          R"(roleRef.name: Required value)"}},
        {"ClusterRoleRef",
         R"({"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRoleBinding","roleRef":{"kind":"Role","name":"a"}})",
         "",
         {R"(roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole")"}},
        {"RoleRefStays",
         R"({"apiVersion":"rbac.authorization.k8s.io/v1","kind":"RoleBinding","roleRef":{"kind":"Role","name":"a"}})",
         R"({"apiVersion":"rbac.authorization.k8s.io/v1","kind":"RoleBinding","roleRef":{"kind":"Role","name":"b"}})",
         {R"(roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"Role","Name":"a"}: cannot change roleRef)"}},
        {"Subjects",
         R"({"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRoleBinding","roleRef":{"kind":"ClusterRole","name":"r"},"subjects":[{"kind":"User","name":"u"},{"kind":"ServiceAccount","name":"S","apiGroup":"x"},{"kind":"Foo"},{"kind":"Group","name":"g","apiGroup":"x"}]})",
         "",
         {R"(subjects[1].name: Invalid value: "S": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'))",
          R"(subjects[1].apiGroup: Unsupported value: "x": supported values: "")",
          R"(subjects[1].namespace: Required value)", R"(subjects[2].name: Required value)",
          R"(subjects[2].kind: Unsupported value: "Foo": supported values: "ServiceAccount", "User", "Group")",
          R"(subjects[3].apiGroup: Unsupported value: "x": supported values: "rbac.authorization.k8s.io")"}},
        {"EmptyReview",
         R"({"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":{}})",
         "",
         {R"(spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified)",
          R"(spec.user: Invalid value: "": at least one of user or group must be specified)"}},
        {"ReviewOfBoth",
         R"({"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview","spec":{"resourceAttributes":{},"nonResourceAttributes":{"path":"/x"}}})",
         "",
         {R"(spec.nonResourceAttributes: Invalid value: {"Path":"/x","Verb":""}: cannot be specified in combination with resourceAttributes)"}},
    }),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace plimsoll::api
