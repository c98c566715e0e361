#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/validation/object_for_test.h"

namespace plimsoll::api {
namespace {

class ValidateFlowControlTest : public testing::TestWithParam<KindCase> {};

TEST_P(ValidateFlowControlTest, HasTheseFaults) {
  EXPECT_THAT(FaultsOf(GetParam()), testing::ElementsAreArray(GetParam().want));
}

std::string SchemaWith(std::string_view spec, std::string_view name = "fs") {
  return R"({"apiVersion":"flowcontrol.apiserver.k8s.io/v1","kind":"FlowSchema","metadata":{"name":")" +
         std::string(name) + R"("},"spec":)" + std::string(spec) + "}";
}

std::string LevelWith(std::string_view spec, std::string_view name = "pl") {
  return R"({"apiVersion":"flowcontrol.apiserver.k8s.io/v1","kind":"PriorityLevelConfiguration","metadata":{"name":")" +
         std::string(name) + R"("},"spec":)" + std::string(spec) + "}";
}

INSTANTIATE_TEST_SUITE_P(Schemas, ValidateFlowControlTest,
                         testing::ValuesIn<KindCase>(
                             {
                                 {"Right",
                                  SchemaWith(
                                      R"({"priorityLevelConfiguration":{"name":"l"},"rules":[{"subjects":[{"kind":"Group","group":{"name":"g"}}],"nonResourceRules":[{"verbs":["get"],"nonResourceURLs":["/","/a/*"]}]}]})"),
                                  "",
                                  {}},
                                 {"OnlyExemptComesFirst",
                                  SchemaWith(
                                      R"({"priorityLevelConfiguration":{"name":"l"},"matchingPrecedence":1})"),
                                  "",
                                  {R"(spec.matchingPrecedence: Invalid value: 1: only the schema named 'exempt' may have matchingPrecedence 1)"}},
                                 {"Urls",
                                  SchemaWith(
                                      R"({"priorityLevelConfiguration":{"name":"l"},"rules":[{"subjects":[{"kind":"User","user":{"name":"*"}}],"nonResourceRules":[{"verbs":["get"],"nonResourceURLs":["","x","/ a","//","/a*","/a/*/*","/a/*"]}]}]})"),
                                  "",
                                  {R"(spec.rules[0].nonResourceRules[0].nonResourceURLs[0]: Invalid value: "": must not be empty)",
                                   R"(spec.rules[0].nonResourceRules[0].nonResourceURLs[1]: Invalid value: "x": must start with slash)",
                                   R"(spec.rules[0].nonResourceRules[0].nonResourceURLs[2]: Invalid value: "/ a": must not contain white-space)",
                                   R"(spec.rules[0].nonResourceRules[0].nonResourceURLs[3]: Invalid value: "//": must not contain double slash)",
                                   R"(spec.rules[0].nonResourceRules[0].nonResourceURLs[4]: Invalid value: "/a*": wildcard can only do suffix matching)",
                                   R"(spec.rules[0].nonResourceRules[0].nonResourceURLs[5]: Invalid value: "/a/*/*": wildcard can only do suffix matching)"}},
                                 {"MandatoryCatchAll",
                                  SchemaWith(
                                      R"({"priorityLevelConfiguration":{"name":"catch-all"},"matchingPrecedence":10000,"distinguisherMethod":{"type":"ByUser"},"rules":[{"subjects":[{"kind":"Group","group":{"name":"system:unauthenticated"}},{"kind":"Group","group":{"name":"system:authenticated"}}],"resourceRules":[{"verbs":["*"],"apiGroups":["*"],"resources":["*"],"clusterScope":true,"namespaces":["*"]}],"nonResourceRules":[{"verbs":["*"],"nonResourceURLs":["*"]}]}]})",
                                      "catch-all"),
                                  "",
                                  {}},
                                 {"ChangedExempt",
                                  SchemaWith(
                                      R"({"priorityLevelConfiguration":{"name":"exempt"},"matchingPrecedence":1})",
                                      "exempt"),
                                  "",
                                  {R"(spec: Invalid value: {"PriorityLevelConfiguration":{"Name":"exempt"},"MatchingPrecedence":1,"DistinguisherMethod":null,"Rules":null}: spec of 'exempt' must equal the fixed value)"}},
                                 {"FlowSchema1",
                                  SchemaWith(
                                      R"({"distinguisherMethod":{"type":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"},"matchingPrecedence":500,"priorityLevelConfiguration":{"name":"workload-low"},"rules":[{"subjects":[{"kind":"User","user":{"name":"alice"}},{"group":{"name":"*"},"kind":"Group"},{"kind":"ServiceAccount","serviceAccount":{"name":"sa","namespace":"ns"}},null]}]})"),
                                  "",
                                  {R"(spec.distinguisherMethod.type: Unsupported value: {"Type":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}: supported values: "ByNamespace", "ByUser")", R"(spec.rules[0].subjects[3].kind: Unsupported value: "": supported values: "Group", "ServiceAccount", "User")", R"(spec.rules[0]: Required value: at least one of resourceRules and nonResourceRules has to be non-empty)"}},
                                 {"FlowSchema2",
                                  SchemaWith(
                                      R"({"distinguisherMethod":{"type":"ByUser"},"matchingPrecedence":10001,"priorityLevelConfiguration":{"name":"workload-low"},"rules":[{"nonResourceRules":[{"verbs":["*"]}],"resourceRules":[{"apiGroups":[""],"namespaces":["*"],"resources":["pods"],"verbs":["get","list"]}],"subjects":[{"kind":"User","user":{"name":"alice"}},{"group":{"name":"*"},"kind":"Group"},{"kind":"ServiceAccount","serviceAccount":{"name":"sa","namespace":"ns"}}]}]})"),
                                  "",
                                  {R"(spec.matchingPrecedence: Invalid value: 10001: must not be greater than 10000)",
                                   R"(spec.rules[0].nonResourceRules[0].nonResourceURLs: Required value: nonResourceURLs must contain at least one value)"}},
                                 {"FlowSchema3",
                                  SchemaWith(
                                      R"({"distinguisherMethod":{"type":"ByUser"},"matchingPrecedence":500,"priorityLevelConfiguration":{"name":"workload-low"},"rules":[{"nonResourceRules":[{"nonResourceURLs":["/healthz"],"verbs":["*"]}],"resourceRules":[{"apiGroups":[""],"namespaces":["*",null],"resources":["pods"],"verbs":["get","list"]}],"subjects":[{"kind":"User","user":{"name":"alice"}},{"group":{"name":"*"},"kind":"Group"},{"kind":"ServiceAccount","serviceAccount":{"name":"sa","namespace":""}}]}]})",
                                      "catch-all"),
                                  "",
                                  {R"(spec.rules[0].subjects[2].serviceAccount.namespace: Required value: must specify namespace for service account)",
                                   R"(spec.rules[0].resourceRules[0].namespaces: Invalid value: ["*",""]: if '*' is present, must not specify other namespaces)",
                                   R"(spec: Invalid value: {"PriorityLevelConfiguration":{"Name":"workload-low"},"MatchingPrecedence":500,"DistinguisherMethod":{"Type":"ByUser"},"Rules":[{"Subjects":[{"Kind":"User","User":{"Name":"alice"},"Group":null,"ServiceAccount":null},{"Kind":"Group","User":null,"Group":{"Name":"*"},"ServiceAccount":null},{"Kind":"ServiceAccount","User":null,"Group":null,"ServiceAccount":{"Namespace":"","Name":"sa"}}],"ResourceRules":[{"Verbs":["get","list"],"APIGroups":[""],"Resources":["pods"],"ClusterScope":false,"Namespaces":["*",""]}],"NonResourceRules":[{"Verbs":["*"],"NonResourceURLs":["/healthz"]}]}]}: spec of 'catch-all' must equal the fixed value)"}},
                                 {"FlowSchema4",
                                  SchemaWith(
                                      R"({"distinguisherMethod":{"type":"ByUser"},"matchingPrecedence":500,"priorityLevelConfiguration":{"name":""},"rules":[{"nonResourceRules":[{"nonResourceURLs":[],"verbs":["*"]}],"resourceRules":[{"apiGroups":[""],"namespaces":["*"],"resources":["pods"],"verbs":["get","list"]}],"subjects":[{"kind":"User","user":{"name":"alice"}},{"group":{"name":"*"},"kind":"Group"},{"kind":"ServiceAccount","serviceAccount":{"name":"sa","namespace":"ns"}}]}]})"),
                                  "",
                                  {R"(spec.priorityLevelConfiguration.name: Required value: must reference a priority level)",
                                   R"(spec.rules[0].nonResourceRules[0].nonResourceURLs: Required value: nonResourceURLs must contain at least one value)"}},
                                 {"FlowSchema5",
                                  SchemaWith(
                                      R"({"distinguisherMethod":{"type":"ByUser"},"matchingPrecedence":500,"priorityLevelConfiguration":{"name":"Bad_Value!"},"rules":[{"subjects":[]}]})"),
                                  "",
                                  {R"(spec.priorityLevelConfiguration.name: Invalid value: "Bad_Value!": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'))", R"(spec.rules[0].subjects: Required value: subjects must contain at least one value)",
                                   R"(spec.rules[0]: Required value: at least one of resourceRules and nonResourceRules has to be non-empty)"}},
                                 {"FlowSchema6",
                                  SchemaWith(
                                      R"({"distinguisherMethod":{"type":"ByUser"},"matchingPrecedence":500,"priorityLevelConfiguration":{"name":"Bad_"},"rules":[{"nonResourceRules":[{"nonResourceURLs":["/healthz"],"verbs":["*"]}],"resourceRules":[{"apiGroups":[],"resources":[],"verbs":[]}],"subjects":[{"kind":"User","user":{"name":"alice"}},{"group":{"name":"*"},"kind":"Group"},{"kind":"ServiceAccount","serviceAccount":{"name":"sa","namespace":"NS"}}]}]})"),
                                  "",
                                  {R"(spec.priorityLevelConfiguration.name: Invalid value: "Bad_": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'))",
                                   R"(spec.rules[0].subjects[2].serviceAccount.namespace: Invalid value: "NS": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?'))",
                                   R"(spec.rules[0].resourceRules[0].verbs: Required value: verbs must contain at least one value)",
                                   R"(spec.rules[0].resourceRules[0].apiGroups: Required value: resource rules must supply at least one api group)",
                                   R"(spec.rules[0].resourceRules[0].resources: Required value: resource rules must supply at least one resource)",
                                   R"(spec.rules[0].resourceRules[0].namespaces: Required value: resource rules that are not cluster scoped must supply at least one namespace)"}},
                                 {"FlowSchema7",
                                  SchemaWith(
                                      R"({"distinguisherMethod":{"type":"ByUser"},"matchingPrecedence":10001,"priorityLevelConfiguration":{"name":"workload-low"},"rules":[{"nonResourceRules":[{"nonResourceURLs":["/a*"],"verbs":["get"]}],"resourceRules":[{"apiGroups":[""],"namespaces":["*"],"resources":["pods"],"verbs":["get","list"]}],"subjects":[{"kind":"User","user":{"name":"alice"}},{"group":{"name":"*"},"kind":"Group"},{"kind":"ServiceAccount","serviceAccount":{"name":"sa","namespace":"ns"}}]}]})"),
                                  "",
                                  {R"(spec.matchingPrecedence: Invalid value: 10001: must not be greater than 10000)",
                                   R"(spec.rules[0].nonResourceRules[0].nonResourceURLs[0]: Invalid value: "/a*": wildcard can only do suffix matching)"}},
                                 {"FlowSchema8",
                                  SchemaWith(
                                      R"({"distinguisherMethod":{"type":"ByUser"},"matchingPrecedence":10001,"priorityLevelConfiguration":{"name":"workload-low"},"rules":[{"nonResourceRules":[{"nonResourceURLs":["/healthz"],"verbs":["*"]}],"resourceRules":[{"apiGroups":[""],"namespaces":["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"],"resources":["pods"],"verbs":["get","list"]}],"subjects":[{"kind":"User","user":{"name":"alice"}},{"group":{"name":"*"},"kind":"Group"},{"kind":"ServiceAccount","serviceAccount":{"name":"sa","namespace":"ns"}}]}]})"),
                                  "",
                                  {R"(spec.matchingPrecedence: Invalid value: 10001: must not be greater than 10000)",
                                   R"(spec.rules[0].resourceRules[0].namespaces[0]: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": each member of this list must be '*' or a DNS-1123 label; must be no more than 63 characters)"}},
                                 {"FlowSchema9",
                                  SchemaWith(
                                      R"({"matchingPrecedence":500,"priorityLevelConfiguration":{"name":"workload-low"},"rules":[{"nonResourceRules":[{"nonResourceURLs":["/healthz"],"verbs":["*"]}],"resourceRules":[{"apiGroups":[""],"namespaces":["*"],"resources":["pods"],"verbs":["get","list"]}],"subjects":[{"kind":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb","user":{"name":"alice"}},{"group":{"name":"*"},"kind":"Group"},{"kind":"ServiceAccount","serviceAccount":{"name":"-1","namespace":"ns"}}]}]})"),
                                  "",
                                  {R"(spec.rules[0].subjects[0].kind: Unsupported value: "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb": supported values: "Group", "ServiceAccount", "User")",
                                   R"(spec.rules[0].subjects[2].serviceAccount.name: Invalid value: "-1": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'))"}},
                                 {"FlowSchema10",
                                  SchemaWith(
                                      R"({"distinguisherMethod":{"type":"ByUser"},"matchingPrecedence":500,"priorityLevelConfiguration":{"name":"workload-low"},"rules":[{"nonResourceRules":[{"nonResourceURLs":[],"verbs":["*"]}],"resourceRules":[{"apiGroups":[""],"namespaces":["*"],"resources":["pods"],"verbs":["get","list"]}],"subjects":[{"kind":"User","user":{"name":"alice"}},{"group":{"name":"*"},"kind":"Group"},{"kind":"ServiceAccount","serviceAccount":{"name":"","namespace":"0"}}]}]})"),
                                  "",
                                  {R"(spec.rules[0].subjects[2].serviceAccount.name: Required value)",
                                   R"(spec.rules[0].nonResourceRules[0].nonResourceURLs: Required value: nonResourceURLs must contain at least one value)"}},
                                 {"FlowSchema11",
                                  SchemaWith(
                                      R"({"distinguisherMethod":{"type":"ByUser"},"matchingPrecedence":500,"priorityLevelConfiguration":{"name":"workload-low"},"rules":[{"nonResourceRules":[{"nonResourceURLs":["/healthz"],"verbs":["*"]}],"resourceRules":[{"apiGroups":[""],"namespaces":["*"],"resources":["pods"],"verbs":["get","list"]}],"subjects":[{"kind":"User","user":{"name":"alice"}},{"group":{"name":"*"},"kind":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"},{"kind":"ServiceAccount","serviceAccount":{"name":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb","namespace":"ns"}}]}]})"),
                                  "",
                                  {R"(spec.rules[0].subjects[1].kind: Unsupported value: "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb": supported values: "Group", "ServiceAccount", "User")",
                                   R"(spec.rules[0].subjects[2].serviceAccount.name: Invalid value: "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb": must be no more than 253 characters)"}},
                                 {"FlowSchema12",
                                  SchemaWith(
                                      R"({"distinguisherMethod":{"type":"ByUser"},"matchingPrecedence":500,"priorityLevelConfiguration":{"name":"workload-low"},"rules":[{"subjects":[{"kind":"User","user":{"name":""}}]}]})"),
                                  "",
                                  {R"(spec.rules[0].subjects[0].user.name: Required value)",
                                   R"(spec.rules[0]: Required value: at least one of resourceRules and nonResourceRules has to be non-empty)"}},
                                 {"FlowSchema13",
                                  SchemaWith(
                                      R"({"distinguisherMethod":{"type":"ByUser"},"matchingPrecedence":500,"priorityLevelConfiguration":{"name":"workload-low"},"rules":[{"nonResourceRules":[{"nonResourceURLs":["/healthz"],"verbs":["*"]}],"resourceRules":[{"apiGroups":[""],"namespaces":["*"],"resources":["pods"],"verbs":["get","list"]}],"subjects":[{"kind":"User","user":{"name":"alice"}},{"kind":"Group"},{"kind":"ServiceAccount","serviceAccount":{"name":"sa","namespace":"ns"}}]}]})"),
                                  "",
                                  {R"(spec.rules[0].subjects[1].group: Required value: group is required when subject kind is 'Group')"}},
                                 {"FlowSchema14",
                                  SchemaWith(
                                      R"({"distinguisherMethod":{"type":"ByUser"},"matchingPrecedence":500,"priorityLevelConfiguration":{"name":"workload-low"},"rules":[{"nonResourceRules":[{"nonResourceURLs":["/healthz"],"verbs":["*"]}],"resourceRules":[{"apiGroups":[""],"namespaces":["*"],"resources":["pods"],"verbs":["get","list"]}],"subjects":[{"kind":"User","user":{"name":"alice"}},{"group":{"name":"*"},"kind":"Group"},{"kind":"ServiceAccount"}]}]})"),
                                  "",
                                  {R"(spec.rules[0].subjects[2].serviceAccount: Required value: serviceAccount is required when subject kind is 'ServiceAccount')"}},
                                 {"FlowSchema15",
                                  SchemaWith(
                                      R"({"distinguisherMethod":{"type":"ByUser"},"matchingPrecedence":500,"priorityLevelConfiguration":{"name":"workload-low"},"rules":[{"nonResourceRules":[{"nonResourceURLs":["/healthz"],"verbs":["*"]},null],"resourceRules":[{"apiGroups":[""],"namespaces":["*"],"resources":["pods"],"verbs":["get","list"]}],"subjects":[{"kind":"User","user":{"name":"alice"}},{"group":{"name":"*"},"kind":"Group"},{"kind":"ServiceAccount","serviceAccount":{"name":"sa","namespace":"ns"}}]}]})"),
                                  "",
                                  {R"(spec.rules[0].nonResourceRules[1].verbs: Required value: verbs must contain at least one value)",
                                   R"(spec.rules[0].nonResourceRules[1].nonResourceURLs: Required value: nonResourceURLs must contain at least one value)"}},
                                 {"FlowSchema16",
                                  SchemaWith(
                                      R"({"distinguisherMethod":{"type":"ByUser"},"matchingPrecedence":500,"priorityLevelConfiguration":{"name":"workload-low"},"rules":[{"nonResourceRules":[{"nonResourceURLs":[],"verbs":[]}],"resourceRules":[{"apiGroups":[""],"namespaces":["*"],"resources":["pods"],"verbs":["get","list"]}],"subjects":[{"kind":"User","user":{"name":"alice"}},{"group":{"name":"*"},"kind":"Group"},{"kind":"ServiceAccount","serviceAccount":{"name":"sa","namespace":"ns"}}]}]})"),
                                  "",
                                  {R"(spec.rules[0].nonResourceRules[0].verbs: Required value: verbs must contain at least one value)",
                                   R"(spec.rules[0].nonResourceRules[0].nonResourceURLs: Required value: nonResourceURLs must contain at least one value)"}},
                                 {"FlowSchema17",
                                  SchemaWith(
                                      R"({"distinguisherMethod":{"type":"ByUser"},"matchingPrecedence":500,"priorityLevelConfiguration":{"name":"workload-low"},"rules":[{"nonResourceRules":[{"nonResourceURLs":["*","/a"],"verbs":["get"]}],"resourceRules":[{"apiGroups":[""],"namespaces":["*"],"resources":["pods"],"verbs":["get","list"]}],"subjects":[{"kind":"User","user":{"name":"alice"}},{"group":{"name":"*"},"kind":"Group"},{"kind":"ServiceAccount","serviceAccount":{"name":"sa","namespace":"ns"}}]}]})"),
                                  "",
                                  {R"(spec.rules[0].nonResourceRules[0].nonResourceURLs: Invalid value: ["*","/a"]: if '*' is present, must not specify other non-resource URLs)"}},
                                 {"FlowSchema18",
                                  SchemaWith(
                                      R"({"distinguisherMethod":{"type":"ByUser"},"matchingPrecedence":500,"priorityLevelConfiguration":{"name":"workload-low"},"rules":[{"nonResourceRules":[{"nonResourceURLs":["/healthz"],"verbs":["*",null]}],"resourceRules":[{"apiGroups":[""],"namespaces":["*"],"resources":["pods"],"verbs":["get","list"]}],"subjects":[{"kind":"User","user":{"name":"alice"}},{"group":{"name":"*"},"kind":"Group"},{"kind":"ServiceAccount","serviceAccount":{"name":"sa","namespace":"ns"}}]}]})"),
                                  "",
                                  {R"(spec.rules[0].nonResourceRules[0].verbs: Invalid value: ["*",""]: if '*' is present, must not specify other verbs)"}},
                                 {"FlowSchema20",
                                  SchemaWith(
                                      R"({"distinguisherMethod":{"type":"ByUser"},"matchingPrecedence":500,"priorityLevelConfiguration":{"name":"workload-low"},"rules":[{"nonResourceRules":[{"nonResourceURLs":["/healthz"],"verbs":["*"]}],"resourceRules":[{"apiGroups":["*","apps"],"namespaces":["*","a"],"resources":["*","pods"],"verbs":["*","get"]}],"subjects":[{"kind":"User","user":{"name":"alice"}},{"group":{"name":"*"},"kind":"Group"},{"kind":"ServiceAccount","serviceAccount":{"name":"sa","namespace":"ns"}}]}]})"),
                                  "",
                                  {R"(spec.rules[0].resourceRules[0].verbs: Invalid value: ["*","get"]: if '*' is present, must not specify other verbs)",
                                   R"(spec.rules[0].resourceRules[0].apiGroups: Invalid value: ["*","apps"]: if '*' is present, must not specify other api groups)",
                                   R"(spec.rules[0].resourceRules[0].resources: Invalid value: ["*","pods"]: if '*' is present, must not specify other resources)",
                                   R"(spec.rules[0].resourceRules[0].namespaces: Invalid value: ["*","a"]: if '*' is present, must not specify other namespaces)"}},
                                 {"FlowSchema21",
                                  SchemaWith(
                                      R"({"distinguisherMethod":{"type":"ByUser"},"matchingPrecedence":500,"priorityLevelConfiguration":{"name":"workload-low"},"rules":[{"nonResourceRules":[{"nonResourceURLs":["/healthz"],"verbs":["*"]}],"resourceRules":[{"apiGroups":[],"resources":[],"verbs":[]}],"subjects":[{"kind":"User","user":{"name":"alice"}},{"group":{"name":"*"},"kind":"Group"},{"kind":"ServiceAccount","serviceAccount":{"name":"sa","namespace":"ns"}}]}]})"),
                                  "",
                                  {R"(spec.rules[0].resourceRules[0].verbs: Required value: verbs must contain at least one value)",
                                   R"(spec.rules[0].resourceRules[0].apiGroups: Required value: resource rules must supply at least one api group)",
                                   R"(spec.rules[0].resourceRules[0].resources: Required value: resource rules must supply at least one resource)",
                                   R"(spec.rules[0].resourceRules[0].namespaces: Required value: resource rules that are not cluster scoped must supply at least one namespace)"}},
                                 {"FlowSchema22",
                                  SchemaWith(
                                      R"({"distinguisherMethod":{"type":"ByUser"},"matchingPrecedence":500,"priorityLevelConfiguration":{"name":"workload-low"},"rules":[{"nonResourceRules":[{"nonResourceURLs":["/healthz"],"verbs":["*"]}],"resourceRules":[{"apiGroups":[""],"namespaces":["*"],"resources":["pods"],"verbs":["get","list"]}],"subjects":[{"kind":"ServiceAccount","serviceAccount":{"name":"","namespace":""}}]}]})"),
                                  "",
                                  {R"(spec.rules[0].subjects[0].serviceAccount.name: Required value)",
                                   R"(spec.rules[0].subjects[0].serviceAccount.namespace: Required value: must specify namespace for service account)"}},
                                 {"FlowSchema23",
                                  SchemaWith(
                                      R"({"distinguisherMethod":{"type":"ByUser"},"matchingPrecedence":500,"priorityLevelConfiguration":{"name":"workload-low"},"rules":[{"nonResourceRules":[{"nonResourceURLs":["/healthz"],"verbs":["*"]}],"resourceRules":[{"apiGroups":[""],"namespaces":["*"],"resources":["pods"],"verbs":["get","list"]}],"subjects":[{"kind":"ServiceAccount","serviceAccount":{"name":"Bad_","namespace":"*"}}]}]})"),
                                  "",
                                  {R"(spec.rules[0].subjects[0].serviceAccount.name: Invalid value: "Bad_": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'))",
                                   R"(spec.rules[0].subjects[0].serviceAccount.namespace: Invalid value: "*": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?'))"}},
                                 {"FlowSchema24",
                                  SchemaWith(
                                      R"({"distinguisherMethod":{"type":"ByUser"},"matchingPrecedence":500,"priorityLevelConfiguration":{"name":"workload-low"},"rules":[{"nonResourceRules":[{"nonResourceURLs":["/healthz"],"verbs":["*"]}],"resourceRules":[{"apiGroups":[""],"namespaces":["*"],"resources":["pods"],"verbs":["get","list"]}],"subjects":[{"group":{"name":"a"},"kind":"User"}]}]})"),
                                  "",
                                  {R"(spec.rules[0].subjects[0].user: Required value: user is required when subject kind is 'User')",
                                   R"(spec.rules[0].subjects[0].group: Forbidden: group is forbidden when subject kind is not 'Group')"}},
                                 {"FlowSchema25",
                                  SchemaWith(
                                      R"({"distinguisherMethod":{"type":"ByUser"},"matchingPrecedence":500,"priorityLevelConfiguration":{"name":"workload-low"},"rules":[{"nonResourceRules":[{"nonResourceURLs":["/healthz"],"verbs":["*"]}],"resourceRules":[{"apiGroups":[""],"namespaces":["*"],"resources":["pods"],"verbs":["get","list"]}],"subjects":[{"kind":"User","user":{"name":"alice"}},{"group":{"name":""},"kind":"Group"},{"kind":"ServiceAccount","serviceAccount":{"name":"sa","namespace":"ns"}}]}]})"),
                                  "",
                                  {R"(spec.rules[0].subjects[1].group.name: Required value)"}},
                                 {"FlowSchema26",
                                  SchemaWith(
                                      R"({"distinguisherMethod":{"type":"ByUser"},"matchingPrecedence":500,"priorityLevelConfiguration":{"name":"workload-low"},"rules":[{"nonResourceRules":[{"nonResourceURLs":["/healthz"],"verbs":["*"]}],"resourceRules":[{"apiGroups":[""],"clusterScope":true,"resources":["pods"],"verbs":["bogus"]}],"subjects":[{"kind":"User","user":{"name":"alice"}},{"group":{"name":"*"},"kind":"Group"},{"kind":"ServiceAccount","serviceAccount":{"name":"sa","namespace":"ns"}}]}]})"),
                                  "",
                                  {R"(spec.rules[0].resourceRules[0].verbs: Unsupported value: ["bogus"]: supported values: "create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch")"}},
                             }),
                         [](const auto& each) { return each.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Levels, ValidateFlowControlTest,
    testing::ValuesIn<KindCase>(
        {
            {"LevelRight",
             LevelWith(R"({"type":"Limited","limited":{"limitResponse":{"type":"Reject"}}})"),
             "",
             {}},
            {"ZeroShares",
             LevelWith(
                 R"({"type":"Limited","limited":{"nominalConcurrencyShares":0,"limitResponse":{"type":"Queue","queuing":{}}}})"),
             "",
             {}},
            {"ExemptMayBeTuned",
             LevelWith(
                 R"({"type":"Exempt","exempt":{"nominalConcurrencyShares":5,"lendablePercent":50}})",
                 "exempt"),
             "",
             {}},
            {"ExemptMayNotBeLimited",
             LevelWith(R"({"type":"Exempt","limited":{"limitResponse":{"type":"Reject"}}})",
                       "exempt"),
             "",
             {R"(spec: Invalid value: {"Type":"Exempt","Limited":{"NominalConcurrencyShares":30,"LimitResponse":{"Type":"Reject","Queuing":null},"LendablePercent":0,"BorrowingLimitPercent":null},"Exempt":null}: spec of 'exempt' except the 'spec.exempt' field must equal the fixed value)",
              R"(spec.limited: Forbidden)"}},
            {"MandatoryCatchAllLevel",
             LevelWith(
                 R"({"type":"Limited","limited":{"nominalConcurrencyShares":5,"limitResponse":{"type":"Reject"},"lendablePercent":0}})",
                 "catch-all"),
             "",
             {}},
            {"ChangedCatchAllLevel",
             LevelWith(
                 R"({"type":"Limited","limited":{"nominalConcurrencyShares":6,"limitResponse":{"type":"Reject"}}})",
                 "catch-all"),
             "",
             {R"(spec: Invalid value: {"Type":"Limited","Limited":{"NominalConcurrencyShares":6,"LimitResponse":{"Type":"Reject","Queuing":null},"LendablePercent":0,"BorrowingLimitPercent":null},"Exempt":null}: spec of 'catch-all' must equal the fixed value)"}},
            {"Level1",
             LevelWith(
                 R"({"exempt":{"nominalConcurrencyShares":1},"limited":{"borrowingLimitPercent":50,"lendablePercent":10,"limitResponse":{"queuing":{"handSize":2,"queueLengthLimit":1,"queues":10000001},"type":"Queue"},"nominalConcurrencyShares":20},"type":"Limited"})"),
             "",
             {R"(spec.limited.limitResponse.queuing.queues: Invalid value: 10000001: must not be greater than 10000000)",
              R"(spec.exempt: Forbidden)"}},
            {"Level2",
             LevelWith(
                 R"({"limited":{"limitResponse":{"queuing":{"queues":1},"type":"Reject"}},"type":"0.5"})"),
             "",
             {R"(spec.type: Unsupported value: "0.5": supported values: "Exempt", "Limited")",
              R"(spec.limited: Forbidden)", R"(spec.limited.limitResponse.queuing: Forbidden)"}},
            {"Level3",
             LevelWith(
                 R"({"limited":{"borrowingLimitPercent":50,"lendablePercent":0,"limitResponse":{"queuing":{"handSize":6,"queueLengthLimit":50,"queues":64},"type":"QUEUE"},"nominalConcurrencyShares":-1},"type":"Limited"})"),
             "",
             {R"(spec.limited.nominalConcurrencyShares: Invalid value: -1: must be a non-negative integer)",
              R"(spec.limited.limitResponse.type: Unsupported value: "QUEUE": supported values: "Queue", "Reject")",
              R"(spec.limited.limitResponse.queuing: Forbidden)"}},
            {"Level4",
             LevelWith(
                 R"({"limited":{"borrowingLimitPercent":50,"lendablePercent":10,"limitResponse":{"queuing":{"handSize":6,"queueLengthLimit":1,"queues":5},"type":"Queue"},"nominalConcurrencyShares":-1},"type":"Limited"})"),
             "",
             {R"(spec.limited.nominalConcurrencyShares: Invalid value: -1: must be a non-negative integer)",
              R"(spec.limited.limitResponse.queuing.handSize: Invalid value: 6: should not be greater than queues (5))"}},
            {"Level5",
             LevelWith(
                 R"({"exempt":{},"limited":{"lendablePercent":2147483647},"type":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"})"),
             "",
             {R"(spec.type: Unsupported value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": supported values: "Exempt", "Limited")",
              R"(spec.exempt: Forbidden)", R"(spec.limited: Forbidden)",
              R"(spec.limited.limitResponse.type: Required value)"}},
            {"Level6",
             LevelWith(
                 R"({"limited":{"borrowingLimitPercent":50,"lendablePercent":10,"limitResponse":{"queuing":{"handSize":6,"queueLengthLimit":50,"queues":64}},"nominalConcurrencyShares":20},"type":"Limited"})"),
             "",
             {R"(spec.limited.limitResponse.queuing: Forbidden)",
              R"(spec.limited.limitResponse.type: Required value)"}},
            {"Level7",
             LevelWith(
                 R"({"limited":{"borrowingLimitPercent":-1,"lendablePercent":10,"limitResponse":{"queuing":{"handSize":6,"queueLengthLimit":50,"queues":64},"type":"Queue"},"nominalConcurrencyShares":20},"type":"Limited"})"),
             "",
             {R"(spec.limited.borrowingLimitPercent: Invalid value: -1: if specified, must be a non-negative integer)"}},
            {"Level8",
             LevelWith(
                 R"({"limited":{"borrowingLimitPercent":50,"lendablePercent":-1,"limitResponse":{"queuing":{"handSize":6,"queueLengthLimit":50,"queues":64},"type":"Queue"},"nominalConcurrencyShares":20},"type":"Limited"})"),
             "",
             {R"(spec.limited.lendablePercent: Invalid value: -1: must be between 0 and 100, inclusive)"}},
            {"Level9",
             LevelWith(
                 R"({"limited":{"borrowingLimitPercent":50,"lendablePercent":10,"limitResponse":{"queuing":{"handSize":6,"queueLengthLimit":-1,"queues":64},"type":"Queue"},"nominalConcurrencyShares":20},"type":"Limited"})"),
             "",
             {R"(spec.limited.limitResponse.queuing.queueLengthLimit: Invalid value: -1: must be positive)"}},
            {"Level10",
             LevelWith(
                 R"({"limited":{"borrowingLimitPercent":50,"lendablePercent":10,"limitResponse":{"queuing":{"handSize":6,"queueLengthLimit":50,"queues":-1},"type":"Queue"},"nominalConcurrencyShares":20},"type":"Limited"})"),
             "",
             {R"(spec.limited.limitResponse.queuing.queues: Invalid value: -1: must be positive)",
              R"(spec.limited.limitResponse.queuing.handSize: Invalid value: 6: should not be greater than queues (-1))"}},
            {"Level11",
             LevelWith(
                 R"({"limited":{"borrowingLimitPercent":50,"lendablePercent":10,"limitResponse":{"queuing":{"handSize":6,"queueLengthLimit":50,"queues":2147483647},"type":"Queue"},"nominalConcurrencyShares":20},"type":"Limited"})"),
             "",
             {R"(spec.limited.limitResponse.queuing.queues: Invalid value: 2147483647: must not be greater than 10000000)",
              R"(spec.limited.limitResponse.queuing.handSize: Invalid value: 6: required entropy bits of deckSize 2147483647 and handSize 6 should not be greater than 60)"}},
            {"Level12",
             LevelWith(
                 R"({"limited":{"borrowingLimitPercent":50,"lendablePercent":10,"limitResponse":{"queuing":{"handSize":-1,"queueLengthLimit":-1,"queues":-1},"type":"Queue"},"nominalConcurrencyShares":20},"type":"Limited"})"),
             "",
             {R"(spec.limited.limitResponse.queuing.queueLengthLimit: Invalid value: -1: must be positive)",
              R"(spec.limited.limitResponse.queuing.queues: Invalid value: -1: must be positive)",
              R"(spec.limited.limitResponse.queuing.handSize: Invalid value: -1: must be positive)"}},
            {"Level13",
             LevelWith(
                 R"({"limited":{"borrowingLimitPercent":50,"lendablePercent":10,"limitResponse":{"queuing":{"handSize":6,"queueLengthLimit":50,"queues":64},"type":""},"nominalConcurrencyShares":20},"type":"Limited"})"),
             "",
             {R"(spec.limited.limitResponse.queuing: Forbidden)",
              R"(spec.limited.limitResponse.type: Required value)"}},
            {"Level14",
             LevelWith(
                 R"({"limited":{"borrowingLimitPercent":50,"lendablePercent":10,"limitResponse":{"queuing":{"handSize":6,"queueLengthLimit":50,"queues":64},"type":"-1"},"nominalConcurrencyShares":20},"type":"Limited"})"),
             "",
             {R"(spec.limited.limitResponse.type: Unsupported value: "-1": supported values: "Queue", "Reject")",
              R"(spec.limited.limitResponse.queuing: Forbidden)"}},
            {"Level15",
             LevelWith(
                 R"({"limited":{"borrowingLimitPercent":50,"lendablePercent":10,"limitResponse":{"queuing":{"handSize":6,"queueLengthLimit":50,"queues":64},"type":"QUEUE"},"nominalConcurrencyShares":20},"type":"Limited"})"),
             "",
             {R"(spec.limited.limitResponse.type: Unsupported value: "QUEUE": supported values: "Queue", "Reject")",
              R"(spec.limited.limitResponse.queuing: Forbidden)"}},
            {"Level16",
             LevelWith(
                 R"({"limited":{"borrowingLimitPercent":50,"lendablePercent":10,"limitResponse":{"queuing":{"handSize":6,"queueLengthLimit":50,"queues":64},"type":"Queue"},"nominalConcurrencyShares":20},"type":"Bogus"})"),
             "",
             {R"(spec.type: Unsupported value: "Bogus": supported values: "Exempt", "Limited")",
              R"(spec.limited: Forbidden)"}},
            {"Level17",
             LevelWith(R"({"exempt":{"lendablePercent":101},"type":"Exempt"})"),
             "",
             {R"(spec.type: Invalid value: "Exempt": must be 'Exempt' if and only if `name` is 'exempt')",
              R"(spec.exempt.lendablePercent: Invalid value: 101: must be between 0 and 100, inclusive)"}},
            {"Level18",
             LevelWith(R"({"exempt":{"nominalConcurrencyShares":-1},"type":"Exempt"})"),
             "",
             {R"(spec.type: Invalid value: "Exempt": must be 'Exempt' if and only if `name` is 'exempt')",
              R"(spec.exempt.nominalConcurrencyShares: Invalid value: -1: must be a non-negative integer)"}},
            {"Level19",
             LevelWith(
                 R"({"limited":{"borrowingLimitPercent":50,"lendablePercent":10,"limitResponse":{"queuing":{"handSize":6,"queueLengthLimit":50,"queues":64},"type":"Queue"},"nominalConcurrencyShares":20}})"),
             "",
             {R"(spec.limited: Forbidden)", R"(spec.type: Required value)"}},
            {"Level20",
             LevelWith(R"({"limited":{"limitResponse":{"type":""}},"type":"Bad_Value!"})", "rej"),
             "",
             {R"(spec.type: Unsupported value: "Bad_Value!": supported values: "Exempt", "Limited")",
              R"(spec.limited: Forbidden)", R"(spec.limited.limitResponse.type: Required value)"}},
            {"Level21",
             LevelWith(R"({"type":"Limited"})", "rej"),
             "",
             {R"(spec.limited: Required value)"}},
            {"Level22",
             LevelWith(
                 R"({"limited":{"borrowingLimitPercent":50,"lendablePercent":10,"limitResponse":{"type":"Queue"},"nominalConcurrencyShares":20},"type":"Limited"})"),
             "",
             {R"(spec.limited.limitResponse.queuing: Required value)"}},
        }),
    [](const auto& each) { return each.param.name; });

TEST(ValidateFlowControlStatusTest, ConditionsHaveATypeAndNoneTwice) {
  const auto object = ObjectFrom(
      R"({"apiVersion":"flowcontrol.apiserver.k8s.io/v1","kind":"FlowSchema","metadata":{"name":"x","resourceVersion":"1"},)"
      R"("status":{"conditions":[{"type":"A"},{"type":""},{"type":"A"}]}})");
  EXPECT_THAT(
      Texts(ValidateStatusUpdate(*object, *object, {})),
      testing::ElementsAre(R"(status.conditions[1].type: Required value: must not be empty)",
                           R"(status.conditions[2].type: Duplicate value: "A")"));
}

}  // namespace
}  // namespace plimsoll::api
