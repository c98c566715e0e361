#include "mutation/samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace plimsoll::mutation {
namespace {

struct Row {
  std::string_view kind;
  std::string_view group;
  std::string_view members;
};

constexpr std::string_view kWorkload =
    R"("spec":{"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},)"
    R"("spec":{"containers":[{"name":"c","image":"i"}]}}})";
constexpr std::string_view kClaim =
    R"({"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"c"}}]}})";

constexpr std::array kRows = {
    Row{"Deployment", "apps", kWorkload},
    Row{"ReplicaSet", "apps", kWorkload},
    Row{"DaemonSet", "apps", kWorkload},
    Row{"StatefulSet", "apps", kWorkload},
    Row{"ControllerRevision", "apps", R"("revision":1,"data":{"a":1})"},
    Row{"Job", "batch",
        R"("spec":{"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}})"},
    Row{"Pod", "", R"("spec":{"containers":[{"name":"c","image":"i"}]})"},
    Row{"PersistentVolume", "",
        R"("spec":{"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],"hostPath":{"path":"/a"}})"},
    Row{"PersistentVolumeClaim", "",
        R"("spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}})"},
    Row{"Event", "", R"("involvedObject":{"kind":"Pod","namespace":"default","name":"a"})"},
    Row{"Event", "events.k8s.io",
        R"("eventTime":"2026-01-01T00:00:00.000000Z","reportingController":"a.b/c",)"
        R"("reportingInstance":"i","action":"a","reason":"r","type":"Normal",)"
        R"("regarding":{"kind":"Pod","namespace":"default","name":"a"})"},
    Row{"ConfigMap", "", R"("data":{"a":"b"})"},
    Row{"Secret", "", R"("data":{"a":"Yg=="})"},
    Row{"Service", "", R"("spec":{"selector":{"a":"b"},"ports":[{"port":80}]})"},
    Row{"ReplicationController", "",
        R"("spec":{"selector":{"a":"b"},"template":{"metadata":{"labels":{"a":"b"}},)"
        R"("spec":{"containers":[{"name":"c","image":"i"}]}}})"},
    Row{"Binding", "", R"("target":{"kind":"Node","name":"n"})"},
    Row{"RuntimeClass", "node.k8s.io", R"("handler":"a")"},
    Row{"PodDisruptionBudget", "policy",
        R"("spec":{"minAvailable":1,"selector":{"matchLabels":{"a":"b"}}})"},
    Row{"Role", "rbac.authorization.k8s.io",
        R"("rules":[{"apiGroups":[""],"resources":["pods"],"verbs":["get"]}])"},
    Row{"ClusterRole", "rbac.authorization.k8s.io",
        R"("rules":[{"apiGroups":[""],"resources":["pods"],"verbs":["get"]}])"},
    Row{"RoleBinding", "rbac.authorization.k8s.io",
        R"("roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"view"},)"
        R"("subjects":[{"kind":"User","apiGroup":"rbac.authorization.k8s.io","name":"a"}])"},
    Row{"ClusterRoleBinding", "rbac.authorization.k8s.io",
        R"("roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"view"},)"
        R"("subjects":[{"kind":"User","apiGroup":"rbac.authorization.k8s.io","name":"a"}])"},
    Row{"ResourceSlice", "resource.k8s.io",
        R"("spec":{"driver":"d.example","nodeName":"n","pool":{"name":"p","generation":1,)"
        R"("resourceSliceCount":1},"devices":[{"name":"d"}]})"},
    Row{"DeviceClass", "resource.k8s.io", R"("spec":{})"},
    Row{"DeviceTaintRule", "resource.k8s.io",
        R"("spec":{"deviceSelector":{"driver":"d.example"},"taint":{"key":"k","effect":"NoSchedule"}})"},
    Row{"NodeTaintRule", "plimsoll.io",
        R"("spec":{"nodes":{},"taint":{"key":"k","effect":"None"},"value":{"constant":"1"}})"},
    Row{"PriorityClass", "scheduling.k8s.io", R"("value":1)"},
    Row{"StorageClass", "storage.k8s.io", R"("provisioner":"p.example")"},
    Row{"CSINode", "storage.k8s.io", R"("spec":{"drivers":[]})"},
    Row{"CSIDriver", "storage.k8s.io", R"("spec":{})"},
    Row{"CSIStorageCapacity", "storage.k8s.io", R"("storageClassName":"s")"},
    Row{"VolumeAttachment", "storage.k8s.io",
        R"("spec":{"attacher":"a.example","nodeName":"n","source":{"persistentVolumeName":"p"}})"},
    Row{"SubjectAccessReview", "authorization.k8s.io",
        R"("spec":{"user":"a","resourceAttributes":{"verb":"get","resource":"pods"}})"},
    Row{"SelfSubjectAccessReview", "authorization.k8s.io",
        R"("spec":{"resourceAttributes":{"verb":"get","resource":"pods"}})"},
    Row{"LocalSubjectAccessReview", "authorization.k8s.io",
        R"("spec":{"user":"a","resourceAttributes":{"namespace":"default","verb":"get","resource":"pods"}})"},
    Row{"SelfSubjectRulesReview", "authorization.k8s.io", R"("spec":{"namespace":"default"})"},
    Row{"TokenReview", "authentication.k8s.io", R"("spec":{"token":"t"})"},
    Row{"FlowSchema", "flowcontrol.apiserver.k8s.io",
        R"("spec":{"priorityLevelConfiguration":{"name":"global-default"},"matchingPrecedence":1000})"},
    Row{"PriorityLevelConfiguration", "flowcontrol.apiserver.k8s.io",
        R"("spec":{"type":"Limited","limited":{"limitResponse":{"type":"Reject"}}})"},
    Row{"EvictionPolicy", "plimsoll.io", R"("spec":{"rate":{"perSecond":5}})"},
    Row{"EvictionRecord", "plimsoll.io",
        R"("entries":[{"type":"Evicted","time":"2026-01-01T00:00:00.000000Z"}])"},
    Row{"EvictionRequest", "lifecycle.k8s.io",
        R"("spec":{"target":{"pod":{"name":"a","uid":"u"}},"requester":"acme.io/a","intent":"Eviction"})"},
    Row{"Eviction", "lifecycle.k8s.io", R"("spec":{"target":{"pod":{"name":"a","uid":"u"}}})"},
    Row{"Scale", "autoscaling", R"("spec":{"replicas":1})"},
};

}  // namespace

std::string_view SampleOf(const api::KindDesc& kind) {
  static const std::string claim = fmt::format(R"("spec":{})", kClaim);
  static const std::string claim_template = fmt::format(R"("spec":{{"spec":{}}})", kClaim);
  if (kind.kind == "ResourceClaim") return claim;
  if (kind.kind == "ResourceClaimTemplate") return claim_template;
  const auto found = std::ranges::find_if(
      kRows, [&](const Row& row) { return row.kind == kind.kind && row.group == kind.group; });
  return found == kRows.end() ? std::string_view() : found->members;
}

std::string SampleObject(const api::KindDesc& kind, std::string_view name,
                         std::string_view namespace_) {
  const std::string_view members = SampleOf(kind);
  return fmt::format(R"({{"kind":"{}","apiVersion":"{}{}{}","metadata":{{"name":"{}"{}}}{}{}}})",
                     kind.kind, kind.group, kind.group.empty() ? "" : "/", kind.version, name,
                     kind.is_namespaced ? fmt::format(R"(,"namespace":"{}")", namespace_) : "",
                     members.empty() ? "" : ",", members);
}

}  // namespace plimsoll::mutation
