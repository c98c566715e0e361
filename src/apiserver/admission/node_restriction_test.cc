#include "apiserver/admission/node_restriction.h"

#include <gtest/gtest.h>

#include "apiserver/admission/admission_for_test.h"

namespace plimsoll::apiserver {
namespace {

struct RestrictionCase {
  std::string name;
  AdmissionCase ask;
  std::string refusal;  // empty: admitted
};

constexpr std::string_view kMine =
    R"(,"spec":{"nodeName":"n1","serviceAccountName":"robot","volumes":[{"name":"t","projected":)"
    R"({"sources":[{"serviceAccountToken":{"audience":"vault","path":"t"}}]}}]})";

class NodeRestrictionTest : public testing::TestWithParam<RestrictionCase> {};

const User kNode{.name = "system:node:n1", .groups = {"system:nodes"}};

TEST_P(NodeRestrictionTest, KeepsAnAgentToItsOwn) {
  AdmissionFixture server;
  FixedAuthorizer authorizer;
  authorizer.is_allowed = false;
  NodeRestriction gate(server.cache(), server.table(), authorizer);
  server.Put(server.Of("nodes"), "", "n1", "", R"(,"uid":"node-uid")");
  server.Put(server.Of("pods"), "default", "mine", kMine, R"(,"uid":"pod-uid")");
  server.PutPod("default", "theirs", "n2");
  AdmissionCase ask = GetParam().ask;
  ask.user = kNode;
  const std::string got = server.Ask(gate, ask);
  EXPECT_EQ(got.starts_with("40") ? got.substr(4) : "", GetParam().refusal);
  ask.user = {.name = "jane"};
  EXPECT_FALSE(server.Ask(gate, ask).starts_with("40")) << "people are not the gate's business";
}

std::string Node(std::string_view name, std::string_view labels = "", std::string_view spec = "") {
  return R"({"metadata":{"name":")" + std::string(name) + R"(","labels":{)" + std::string(labels) +
         R"(}},"spec":{)" + std::string(spec) + "}}";
}

std::string Pod(std::string_view name, std::string_view node) {
  return R"({"metadata":{"name":")" + std::string(name) +
         R"(","namespace":"default"},"spec":{"nodeName":")" + std::string(node) + R"("}})";
}

/// Returns a pod on n1 with additional metadata and status.
std::string Mine(std::string_view meta, std::string_view status = "") {
  return R"({"metadata":{"name":"mine","namespace":"default")" + std::string(meta) +
         R"(},"spec":{"nodeName":"n1"},"status":{)" + std::string(status) + "}}";
}

constexpr std::string_view kOwner =
    R"({"apiVersion":"v1","kind":"Node","name":"n1","uid":"node-uid","controller":true})";

std::string Mirror(std::string_view owners, std::string_view spec) {
  return R"({"metadata":{"name":"m","namespace":"default","annotations":)"
         R"({"kubernetes.io/config.mirror":"x"},"ownerReferences":[)" +
         std::string(owners) + R"(]},"spec":{"nodeName":"n1")" + std::string(spec) + "}}";
}

std::string Claim(std::string_view meta, std::string_view status) {
  return R"({"metadata":{"name":"c","namespace":"default")" + std::string(meta) +
         R"(},"spec":{"volumeName":"pv"},"status":{)" + std::string(status) + "}}";
}

AdmissionCase Token(std::string_view bound, std::string_view audiences = R"("vault")") {
  return {.plural = "serviceaccounts",
          .object = R"({"metadata":{"namespace":"default"},"spec":{"audiences":[)" +
                    std::string(audiences) + R"(],"boundObjectRef":)" + std::string(bound) + "}}",
          .subresource = "token",
          .kind = api::FindKind("authentication.k8s.io", "v1", "TokenRequest"),
          .name = "robot"};
}

AdmissionCase StatusWrite(std::string_view meta, std::string_view status = "") {
  return {.operation = Operation::Update,
          .object = Mine(meta, status),
          .before = Mine(R"(,"annotations":{"a":"b"},"finalizers":["x/y"])",
                         R"("resourceClaimStatuses":[{"name":"g","resourceClaimName":"c1"}])"),
          .subresource = "status"};
}

constexpr auto kUpdate = Operation::Update;
constexpr std::string_view kTaints = R"("taints":[{"key":"k","effect":"NoSchedule"}])";

INSTANTIATE_TEST_SUITE_P(
    All, NodeRestrictionTest,
    testing::ValuesIn<RestrictionCase>({
        {"OwnNode", {.plural = "nodes", .object = Node("n1", "", kTaints)}, ""},
        {"OtherNode",
         {.plural = "nodes", .object = Node("n2")},
         R"(nodes "n2" is forbidden: node "n1" is not allowed to modify node "n2")"},
        {"OwnTaints",
         {.operation = kUpdate,
          .plural = "nodes",
          .object = Node("n1", "", kTaints),
          .before = Node("n1")},
         R"(nodes "n1" is forbidden: node "n1" is not allowed to modify taints)"},
        {"OwnHostnameLabel",
         {.operation = kUpdate,
          .plural = "nodes",
          .object = Node("n1", R"("kubernetes.io/hostname":"h","example.com/x":"y")"),
          .before = Node("n1")},
         ""},
        {"RestrictedLabel",
         {.operation = kUpdate,
          .plural = "nodes",
          .object = Node("n1"),
          .before = Node("n1", R"("node-restriction.kubernetes.io/a":"b")")},
         R"(nodes "n1" is forbidden: is not allowed to modify labels: )"
         "node-restriction.kubernetes.io/a"},
        {"RestrictedLabelAtBirth",
         {.plural = "nodes", .object = Node("n1", R"("node-role.kubernetes.io/x":"")")},
         R"(nodes "n1" is forbidden: node "n1" is not allowed to set the following labels: )"
         "node-role.kubernetes.io/x"},
        {"StatusOfOwnPod",
         {.operation = kUpdate,
          .object = Pod("mine", "n1"),
          .before = Pod("mine", "n1"),
          .subresource = "status"},
         ""},
        {"StatusOfAnothersPod",
         {.operation = kUpdate,
          .object = Pod("theirs", "n2"),
          .before = Pod("theirs", "n2"),
          .subresource = "status"},
         R"(pods "theirs" is forbidden: node "n1" can only update pod status for pods with )"
         "spec.nodeName set to itself"},
        {"DeleteAnothersPod",
         {.operation = Operation::Delete, .before = Pod("theirs", "n2")},
         R"(pods "theirs" is forbidden: node "n1" can only delete pods with spec.nodeName set to )"
         "itself"},
        {"EvictAnothersPod",
         {.object = R"({"metadata":{"name":"theirs","namespace":"default"}})",
          .subresource = "eviction"},
         R"(pods "theirs" is forbidden: node n1 can only evict pods with spec.nodeName set to )"
         "itself"},
        {"OwnLease",
         {.plural = "leases",
          .group = "coordination.k8s.io",
          .object = R"({"metadata":{"name":"n1","namespace":"kube-node-lease"}})"},
         ""},
        {"OthersLease",
         {.plural = "leases",
          .group = "coordination.k8s.io",
          .object = R"({"metadata":{"name":"n2","namespace":"kube-node-lease"}})"},
         R"(leases.coordination.k8s.io "n2" is forbidden: can only access node lease with the same )"
         "name as the requesting node"},
    }),
    [](const auto& test) { return test.param.name; });

constexpr std::string_view kOwnPod = R"(pods "mine" is forbidden: node "n1" )";
constexpr std::string_view kMirrorPod = R"(pods "m" is forbidden: node "n1" )";
constexpr std::string_view kRobot = R"(serviceaccounts "robot" is forbidden: )";
constexpr std::string_view kKept = R"(,"annotations":{"a":"b"},"finalizers":["x/y"])";
constexpr std::string_view kClaims =
    R"("resourceClaimStatuses":[{"name":"g","resourceClaimName":"c1"}])";

std::string Join(std::string_view a, std::string_view b) { return std::string(a).append(b); }

INSTANTIATE_TEST_SUITE_P(
    MirrorPods, NodeRestrictionTest,
    testing::ValuesIn<RestrictionCase>({
        {"WithoutReferences",
         {.object = Mirror(kOwner, R"(,"volumes":[{"name":"v","emptyDir":{}}])")},
         ""},
        {"NoMirror",
         {.object = Mine("")},
         Join("pods \"mine\" is forbidden: pod does not have \"kubernetes.io/config.mirror\" ",
              "annotation, node \"n1\" can only create mirror pods")},
        {"NoOwner",
         {.object = Mirror("", "")},
         Join(kMirrorPod, "can only create pods with an owner reference set to itself")},
        {"TwoOwners",
         {.object = Mirror(Join(kOwner, Join(",", kOwner)), "")},
         Join(kMirrorPod, "can only create pods with a single owner reference set to itself")},
        {"OtherOwner",
         {.object = Mirror(R"({"apiVersion":"v1","kind":"Node","name":"n2","uid":"u"})", "")},
         Join(kMirrorPod, "can only create pods with an owner reference set to itself")},
        {"NoController",
         {.object = Mirror(R"({"apiVersion":"v1","kind":"Node","name":"n1","uid":"node-uid"})",
                           "")},
         Join(kMirrorPod, "can only create pods with a controller owner reference set to itself")},
        {"OtherUid",
         {.object = Mirror(
              R"({"apiVersion":"v1","kind":"Node","name":"n1","uid":"x","controller":true})", "")},
         R"(pods "m" is forbidden: node n1 UID mismatch: expected x got node-uid)"},
        {"Account",
         {.object = Mirror(kOwner, R"(,"serviceAccountName":"robot")")},
         Join(kMirrorPod, "can not create pods that reference serviceaccounts")},
        {"AccountByItsOldName",
         {.object = Mirror(kOwner, R"(,"serviceAccount":"robot")")},
         Join(kMirrorPod, "can not create pods that reference serviceaccounts")},
        {"Secret",
         {.object = Mirror(kOwner, R"(,"imagePullSecrets":[{"name":"s"}])")},
         Join(kMirrorPod, "can not create pods that reference secrets")},
        {"ResourceClaim",
         {.object = Mirror(kOwner, R"(,"resourceClaims":[{"name":"g","resourceClaimName":"c"}])")},
         Join(kMirrorPod, "can not create pods that reference resourceclaims")},
        {"VolumeClaim",
         {.object = Mirror(
              kOwner, R"(,"volumes":[{"name":"v","persistentVolumeClaim":{"claimName":"c"}}])")},
         Join(kMirrorPod, "can not create pods that reference persistentvolumeclaims")},
        {"Update",
         {.operation = kUpdate, .object = Mine(""), .before = Mine("")},
         Join("pods \"mine\" is forbidden: unexpected operation \"UPDATE\", node \"n1\" can only ",
              "create and delete mirror pods")},
        {"DeleteOwnPod", {.operation = Operation::Delete, .before = Mine("")}, ""},
        {"Ephemeral",
         {.operation = kUpdate,
          .object = Mine(""),
          .before = Mine(""),
          .subresource = "ephemeralcontainers"},
         Join("pods \"mine\" is forbidden: unexpected pod subresource \"ephemeralcontainers\", ",
              "only 'status' and 'eviction' are allowed")},
        {"EvictMissingPod",
         {.object = R"({"metadata":{"name":"none","namespace":"default"}})",
          .subresource = "eviction"},
         R"(pod "none" not found)"},
    }),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    PodStatus, NodeRestrictionTest,
    testing::ValuesIn<RestrictionCase>({
        {"Phase", StatusWrite(kKept, Join(kClaims, R"(,"phase":"Running")")), ""},
        {"Labels", StatusWrite(Join(kKept, R"(,"labels":{"a":""})"), kClaims),
         Join(kOwnPod, "cannot update labels through pod status")},
        {"Annotations", StatusWrite(R"(,"finalizers":["x/y"])", kClaims),
         Join(kOwnPod, "cannot update annotations through pod status")},
        {"Finalizers", StatusWrite(R"(,"annotations":{"a":"b"})", kClaims),
         Join(kOwnPod, "cannot update finalizers through pod status")},
        {"ResourceClaims",
         StatusWrite(kKept, R"("resourceClaimStatuses":[{"name":"g","resourceClaimName":"c2"}])"),
         Join(kOwnPod, "cannot update resource claim statues")},
        {"ExtendedResourceClaims",
         StatusWrite(kKept,
                     Join(kClaims, R"(,"extendedResourceClaimStatus":{"resourceClaimName":"c2",)"
                                   R"("requestMappings":[]})")),
         Join(kOwnPod, "cannot update extended resource claim status")},
    }),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Nodes, NodeRestrictionTest,
    testing::ValuesIn<RestrictionCase>({
        {"OwnersAtCreation",
         {.plural = "nodes",
          .object = R"({"metadata":{"name":"n1","ownerReferences":[{"name":"x"}]}})"},
         R"(nodes "n1" is forbidden: node "n1" is not allowed to set ownerReferences)"},
        {"Owners",
         {.operation = kUpdate,
          .plural = "nodes",
          .object = R"({"metadata":{"name":"n1","ownerReferences":[{"name":"x"}]}})",
          .before = Node("n1")},
         R"(nodes "n1" is forbidden: node "n1" is not allowed to modify ownerReferences)"},
        {"OwnersThroughStatus",
         {.operation = kUpdate,
          .plural = "nodes",
          .object = R"({"metadata":{"name":"n1"}})",
          .before = R"({"metadata":{"name":"n1","ownerReferences":[{"name":"x"}]}})",
          .subresource = "status"},
         R"(nodes "n1" is forbidden: node "n1" is not allowed to modify ownerReferences)"},
        {"ConfigSource",
         {.operation = kUpdate,
          .plural = "nodes",
          .object = Node("n1", "", R"("configSource":{"configMap":{"name":"c"}})"),
          .before = Node("n1")},
         Join("nodes \"n1\" is forbidden: node \"n1\" is not allowed to update configSource to a ",
              "new non-nil configSource")},
        {"EmptyTaints",
         {.operation = kUpdate,
          .plural = "nodes",
          .object = Node("n1", "", R"("taints":[])"),
          .before = Node("n1")},
         ""},
        {"GeneratedName",
         {.plural = "nodes", .object = R"({"metadata":{"generateName":"n1"}})"},
         R"(nodes is forbidden: node "n1" is not allowed to modify node "")"},
    }),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    OtherObjects, NodeRestrictionTest,
    testing::ValuesIn<RestrictionCase>({
        {"OwnCsiNode",
         {.plural = "csinodes",
          .group = "storage.k8s.io",
          .object = R"({"metadata":{"name":"n1"}})"},
         ""},
        {"OthersCsiNode",
         {.plural = "csinodes",
          .group = "storage.k8s.io",
          .object = R"({"metadata":{"name":"n2"}})"},
         Join("csinodes.storage.k8s.io \"n2\" is forbidden: can only access CSINode with the same ",
              "name as the requesting node")},
        {"LeaseElsewhere",
         {.plural = "leases",
          .group = "coordination.k8s.io",
          .object = R"({"metadata":{"name":"n1","namespace":"kube-system"}})"},
         Join("leases.coordination.k8s.io \"n1\" is forbidden: can only access leases in the ",
              "\"kube-node-lease\" system namespace")},
        {"OthersSlice",
         {.plural = "resourceslices",
          .group = "resource.k8s.io",
          .object = R"({"metadata":{"name":"s"},"spec":{"nodeName":"n2"}})"},
         Join("resourceslices.resource.k8s.io \"s\" is forbidden: can only create ResourceSlice ",
              "with the same NodeName as the requesting node")},
        {"DeleteOthersSlice",
         {.operation = Operation::Delete,
          .plural = "resourceslices",
          .group = "resource.k8s.io",
          .before = R"({"metadata":{"name":"s"},"spec":{"allNodes":true}})"},
         Join("resourceslices.resource.k8s.io \"s\" is forbidden: can only delete ResourceSlice ",
              "with the same NodeName as the requesting node")},
        {"DeleteOwnSlice",
         {.operation = Operation::Delete,
          .plural = "resourceslices",
          .group = "resource.k8s.io",
          .before = R"({"metadata":{"name":"s"},"spec":{"nodeName":"n1"}})"},
         ""},
        {"Claim",
         {.operation = kUpdate,
          .plural = "persistentvolumeclaims",
          .object = Claim("", ""),
          .before = Claim("", "")},
         R"(persistentvolumeclaims "c" is forbidden: may only update PVC status)"},
        {"ClaimExpansion",
         {.operation = kUpdate,
          .plural = "persistentvolumeclaims",
          .object = Claim(R"(,"resourceVersion":"2")", R"("capacity":{"storage":"2Gi"})"),
          .before = Claim(R"(,"resourceVersion":"1")", R"("capacity":{"storage":"1Gi"})"),
          .subresource = "status"},
         ""},
        {"ClaimPhase",
         {.operation = kUpdate,
          .plural = "persistentvolumeclaims",
          .object = Claim("", R"("phase":"Bound")"),
          .before = Claim("", R"("phase":"Lost")"),
          .subresource = "status"},
         Join("persistentvolumeclaims \"c\" is forbidden: node \"n1\" is not allowed to update ",
              "fields other than status.quantity and status.conditions: status.phase: \"Lost\" -> "
              "\"Bound\"\n")},
        {"ClaimLabel",
         {.operation = kUpdate,
          .plural = "persistentvolumeclaims",
          .object = Claim(R"(,"labels":{"a":""})", ""),
          .before = Claim("", ""),
          .subresource = "status"},
         Join("persistentvolumeclaims \"c\" is forbidden: node \"n1\" is not allowed to update ",
              "fields other than status.quantity and status.conditions: ")},
    }),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Tokens, NodeRestrictionTest,
    testing::ValuesIn<RestrictionCase>({
        {"OfOwnPod", Token(R"({"apiVersion":"v1","kind":"Pod","name":"mine","uid":"pod-uid"})"),
         ""},
        {"Unbound", Token("null"), Join(kRobot, "node requested token not bound to a pod")},
        {"OfASecret", Token(R"({"apiVersion":"v1","kind":"Secret","name":"s","uid":"u"})"),
         Join(kRobot, "node requested token not bound to a pod")},
        {"WithoutUid", Token(R"({"apiVersion":"v1","kind":"Pod","name":"mine"})"),
         Join(kRobot, "node requested token with a pod binding without a uid")},
        {"OfAnEarlierPod", Token(R"({"apiVersion":"v1","kind":"Pod","name":"mine","uid":"old"})"),
         Join(kRobot,
              "the UID in the bound object reference (old) does not match the UID in "
              "record. The object might have been deleted and then recreated")},
        {"OfNoPod", Token(R"({"apiVersion":"v1","kind":"Pod","name":"none","uid":"u"})"),
         R"(pod "none" not found)"},
        {"TwoAudiences",
         Token(R"({"apiVersion":"v1","kind":"Pod","name":"mine","uid":"pod-uid"})",
               R"("vault","api")"),
         Join(kRobot, "node may only request 0 or 1 audiences")},
        {"AudienceThatThePodDoesNotUse",
         Token(R"({"apiVersion":"v1","kind":"Pod","name":"mine","uid":"pod-uid"})", ""),
         Join(kRobot,
              "audience \"\" not found in pod spec volume, system:node:n1 is not "
              "authorized to request tokens for this audience")},
    }),
    [](const auto& test) { return test.param.name; });

TEST(NodeRestrictionRuleTest, AnAudienceThatRbacAllowsIsGiven) {
  AdmissionFixture server;
  FixedAuthorizer authorizer;
  NodeRestriction gate(server.cache(), server.table(), authorizer);
  server.Put(server.Of("pods"), "default", "mine", kMine, R"(,"uid":"pod-uid")");
  AdmissionCase ask =
      Token(R"({"apiVersion":"v1","kind":"Pod","name":"mine","uid":"pod-uid"})", R"("registry")");
  ask.user = kNode;
  EXPECT_FALSE(server.Ask(gate, ask).starts_with("403"));
  EXPECT_EQ(authorizer.asked.verb, "request-serviceaccounts-token-audience");
  EXPECT_EQ(authorizer.asked.resource, "registry");
  EXPECT_EQ(authorizer.asked.name, "robot");
  EXPECT_EQ(authorizer.asked.namespace_, "default");
}

TEST(NodeRestrictionRuleTest, ANodeWithoutANameMayWriteNothing) {
  AdmissionFixture server;
  const FixedAuthorizer authorizer;
  NodeRestriction gate(server.cache(), server.table(), authorizer);
  EXPECT_EQ(server.Ask(gate, {.plural = "nodes",
                              .object = Node(""),
                              .user = {.name = "system:node:", .groups = {"system:nodes"}}}),
            R"(403 nodes is forbidden: could not determine node from user "system:node:")");
}

TEST(IsNodeLabelAllowedTest, ForeignDomainsAreFree) {
  EXPECT_TRUE(IsNodeLabelAllowed("plain"));
  EXPECT_TRUE(IsNodeLabelAllowed("example.com/x"));
  EXPECT_TRUE(IsNodeLabelAllowed("kubelet.kubernetes.io/x"));
  EXPECT_TRUE(IsNodeLabelAllowed("sub.node.kubernetes.io/x"));
  EXPECT_FALSE(IsNodeLabelAllowed("xkubelet.kubernetes.io/x"));
  EXPECT_FALSE(IsNodeLabelAllowed("k8s.io/x"));
  EXPECT_FALSE(IsNodeLabelAllowed("a.node-restriction.kubernetes.io/x"));
  EXPECT_TRUE(IsNodeLabelAllowed("notk8s.io/x"));
}

}  // namespace
}  // namespace plimsoll::apiserver
