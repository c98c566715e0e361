#include "apiserver/bootstrap/default_objects.h"

#include <fmt/format.h>

#include <array>
#include <memory>

#include "apiserver/authz/rbac_policy.h"
#include "base/go_text.h"
#include "codec/json.h"

namespace plimsoll::apiserver {
namespace {

using codec::Value;

constexpr std::string_view kRoleVersion = "rbac.authorization.k8s.io/v1";

/// Service accounts of the controllers in `plimsoll controller-manager`.
constexpr std::array<std::string_view, 16> kControllersOfTheProcess = {
    "daemon-set-controller",
    "deployment-controller",
    "device-taint-eviction-controller",
    "disruption-controller",
    "generic-garbage-collector",
    "job-controller",
    "namespace-controller",
    "node-controller",
    "persistent-volume-binder",
    "pod-garbage-collector",
    "replicaset-controller",
    "replication-controller",
    "resource-claim-controller",
    "statefulset-controller",
    "ttl-after-finished-controller",
    "ttl-controller",
};

std::unique_ptr<codec::Document> ParseFacts() {
  auto facts = codec::ParseJson(std::string(ClusterRolesJson()));
  PL_ASSERT(facts.has_value());
  return *std::move(facts);
}

/// Returns a role or binding with the labels and annotations of all default ones.
Value NewObject(codec::Document& document, std::string_view kind, const Value& fact) {
  Value labels = document.NewObject(3);
  document.Set(labels, "kubernetes.io/bootstrapping", Value::String("rbac-defaults"));
  if (const Value* const own = fact.Find("labels")) {
    for (const codec::Member& member : own->members()) {
      document.Set(labels, document.CopyText(member.key), document.Clone(member.value));
    }
  }
  Value annotations = document.NewObject(1);
  document.Set(annotations, "rbac.authorization.kubernetes.io/autoupdate", Value::String("true"));
  Value metadata = document.NewObject(4);
  document.Set(metadata, "name", document.NewString(TextAt(fact, "name")));
  if (const std::string_view home = TextAt(fact, "namespace"); !home.empty()) {
    document.Set(metadata, "namespace", document.NewString(home));
  }
  document.Set(metadata, "labels", labels);
  document.Set(metadata, "annotations", annotations);
  Value object = document.NewObject(5);
  document.Set(object, "kind", Value::String(kind));
  document.Set(object, "apiVersion", Value::String(kRoleVersion));
  document.Set(object, "metadata", metadata);
  return object;
}

/// Returns a policy of all default roles, which resolves aggregation.
std::shared_ptr<const RbacPolicy> MakePolicy(codec::Document& document, const Value& roles) {
  RbacPolicyBuilder builder;
  for (const Value& fact : roles.items()) {
    Value object = NewObject(document, "ClusterRole", fact);
    if (const Value* const rules = fact.Find("rules")) document.Set(object, "rules", *rules);
    if (const Value* const aggregation = fact.Find("aggregationRule")) {
      document.Set(object, "aggregationRule", *aggregation);
    }
    builder.Put(ReadRole(object));
  }
  return builder.Build();
}

PolicyRules RulesIn(const RbacPolicy& policy, std::string_view role) {
  const Result<PolicyRules> rules = policy.RulesOf(
      {.group = std::string(kRbacGroup), .kind = "ClusterRole", .name = std::string(role)}, "");
  PL_ASSERT(rules.has_value());
  return *rules;
}

const Value& ListOf(const codec::Document& facts, std::string_view key) {
  const Value* const list = facts.root().Find(key);
  PL_ASSERT(list != nullptr && list->is_array());
  return *list;
}

std::vector<DefaultObject> BindingsIn(std::string_view list, std::string_view kind,
                                      std::string_view role_kind, std::string_view resource) {
  const std::unique_ptr<codec::Document> facts = ParseFacts();
  std::vector<DefaultObject> objects;
  for (const Value& fact : ListOf(*facts, list).items()) {
    const std::string_view name = TextAt(fact, "name");
    const std::string_view role = TextAt(fact, "roleRef");
    Value ref = facts->NewObject(3);
    facts->Set(ref, "apiGroup", Value::String(kRbacGroup));
    facts->Set(ref, "kind", Value::String(role_kind));
    facts->Set(ref, "name", Value::String(role.empty() ? name : role));
    Value object = NewObject(*facts, kind, fact);
    if (const Value* const subjects = fact.Find("subjects"); !subjects->items().empty()) {
      facts->Set(object, "subjects", *subjects);
    }
    facts->Set(object, "roleRef", ref);
    objects.push_back({.group = kRbacGroup,
                       .resource = resource,
                       .namespace_ = std::string(TextAt(fact, "namespace")),
                       .name = std::string(name),
                       .json = codec::WriteJson(object)});
  }
  return objects;
}

}  // namespace

std::vector<DefaultObject> DefaultNamespaces() {
  std::vector<DefaultObject> objects;
  for (const std::string_view name : {"default", "kube-system", "kube-public", "kube-node-lease"}) {
    objects.push_back(
        {.group = "",
         .resource = "namespaces",
         .namespace_ = {},
         .name = std::string(name),
         .json = fmt::format(
             R"({{"kind":"Namespace","apiVersion":"v1","metadata":{{"name":"{0}",)"
             R"("labels":{{"kubernetes.io/metadata.name":"{0}"}}}},)"
             R"("spec":{{"finalizers":["kubernetes"]}},"status":{{"phase":"Active"}}}})",
             name)});
  }
  return objects;
}

std::vector<DefaultObject> DefaultPriorityClasses() {
  struct Row {
    std::string_view name;
    std::int64_t value;
    std::string_view description;
  };
  constexpr std::array kRows = {
      Row{"system-node-critical", 2'000'001'000,
          "Used for system critical pods that must not be moved from their current node."},
      Row{"system-cluster-critical", 2'000'000'000,
          "Used for system critical pods that must run in the cluster, but can be moved to another "
          "node if necessary."},
  };
  std::vector<DefaultObject> objects;
  for (const Row& row : kRows) {
    objects.push_back(
        {.group = "scheduling.k8s.io",
         .resource = "priorityclasses",
         .namespace_ = {},
         .name = std::string(row.name),
         .json = fmt::format(R"({{"kind":"PriorityClass","apiVersion":"scheduling.k8s.io/v1",)"
                             R"("metadata":{{"name":"{}"}},"value":{},"description":{},)"
                             R"("preemptionPolicy":"PreemptLowerPriority"}})",
                             row.name, row.value, GoJsonQuote(row.description))});
  }
  return objects;
}

std::vector<DefaultObject> DefaultClusterRoles() {
  const std::unique_ptr<codec::Document> facts = ParseFacts();
  const Value& roles = ListOf(*facts, "roles");
  const std::shared_ptr<const RbacPolicy> policy = MakePolicy(*facts, roles);
  std::vector<DefaultObject> objects;
  for (const Value& fact : roles.items()) {
    const std::string_view name = TextAt(fact, "name");
    Value object = NewObject(*facts, "ClusterRole", fact);
    if (const Value* const aggregation = fact.Find("aggregationRule")) {
      facts->Set(object, "aggregationRule", *aggregation);
    }
    Value rules = facts->NewArray();
    for (const PolicyRule& rule : RulesIn(*policy, name)) {
      facts->Append(rules, WritePolicyRule(rule, *facts));
    }
    facts->Set(object, "rules", rules);
    objects.push_back({.group = kRbacGroup,
                       .resource = "clusterroles",
                       .namespace_ = {},
                       .name = std::string(name),
                       .json = codec::WriteJson(object)});
  }
  return objects;
}

std::vector<DefaultObject> DefaultClusterRoleBindings() {
  return BindingsIn("bindings", "ClusterRoleBinding", "ClusterRole", "clusterrolebindings");
}

std::vector<DefaultObject> DefaultRoles() {
  const std::unique_ptr<codec::Document> facts = ParseFacts();
  std::vector<DefaultObject> objects;
  for (const Value& fact : ListOf(*facts, "namespaceRoles").items()) {
    Value object = NewObject(*facts, "Role", fact);
    facts->Set(object, "rules", *fact.Find("rules"));
    objects.push_back({.group = kRbacGroup,
                       .resource = "roles",
                       .namespace_ = std::string(TextAt(fact, "namespace")),
                       .name = std::string(TextAt(fact, "name")),
                       .json = codec::WriteJson(object)});
  }
  return objects;
}

std::vector<DefaultObject> DefaultRoleBindings() {
  return BindingsIn("namespaceRoleBindings", "RoleBinding", "Role", "rolebindings");
}

DefaultObject AuthenticationConfigMap(std::string_view client_ca_pem) {
  return {.group = "",
          .resource = "configmaps",
          .namespace_ = "kube-system",
          .name = "extension-apiserver-authentication",
          .json = fmt::format(
              R"({{"kind":"ConfigMap","apiVersion":"v1","metadata":{{)"
              R"("name":"extension-apiserver-authentication","namespace":"kube-system"}},)"
              R"("data":{{"client-ca-file":{}}}}})",
              GoJsonQuote(client_ca_pem))};
}

DefaultObject TokenTrackingConfigMap(Instant now) {
  constexpr std::size_t kDateSize = 10;  // length of the date in 2026-01-31T…
  return {.group = "",
          .resource = "configmaps",
          .namespace_ = "kube-system",
          .name = "kube-apiserver-legacy-service-account-token-tracking",
          .json = fmt::format(R"({{"kind":"ConfigMap","apiVersion":"v1","metadata":{{)"
                              R"("name":"kube-apiserver-legacy-service-account-token-tracking",)"
                              R"("namespace":"kube-system"}},"data":{{"since":"{}"}}}})",
                              FormatTime(now).substr(0, kDateSize))};
}

std::vector<DefaultObject> ControllerManagerRoles() {
  constexpr std::string_view kName = "plimsoll:controller-manager";
  const std::unique_ptr<codec::Document> facts = ParseFacts();
  const std::shared_ptr<const RbacPolicy> policy = MakePolicy(*facts, ListOf(*facts, "roles"));
  Value named = facts->NewObject(1);
  facts->Set(named, "name", Value::String(kName));

  Value rules = facts->NewArray();
  for (const std::string_view controller : kControllersOfTheProcess) {
    for (const PolicyRule& rule :
         RulesIn(*policy, fmt::format("system:controller:{}", controller))) {
      facts->Append(rules, WritePolicyRule(rule, *facts));
    }
  }
  Value role = NewObject(*facts, "ClusterRole", named);
  facts->Set(role, "rules", rules);

  Value subject = facts->NewObject(3);
  facts->Set(subject, "kind", Value::String("User"));
  facts->Set(subject, "apiGroup", Value::String(kRbacGroup));
  facts->Set(subject, "name", Value::String("system:kube-controller-manager"));
  Value subjects = facts->NewArray();
  facts->Append(subjects, subject);
  Value ref = facts->NewObject(3);
  facts->Set(ref, "apiGroup", Value::String(kRbacGroup));
  facts->Set(ref, "kind", Value::String("ClusterRole"));
  facts->Set(ref, "name", Value::String(kName));
  Value binding = NewObject(*facts, "ClusterRoleBinding", named);
  facts->Set(binding, "subjects", subjects);
  facts->Set(binding, "roleRef", ref);

  std::vector<DefaultObject> objects;
  for (const auto& [resource, object] :
       {std::pair("clusterroles", role), std::pair("clusterrolebindings", binding)}) {
    objects.push_back({.group = kRbacGroup,
                       .resource = resource,
                       .namespace_ = {},
                       .name = std::string(kName),
                       .json = codec::WriteJson(object)});
  }
  return objects;
}

DefaultObject KubernetesService(std::string_view cluster_ip, std::uint16_t port) {
  return {.group = "",
          .resource = "services",
          .namespace_ = "default",
          .name = "kubernetes",
          .json = fmt::format(
              R"({{"kind":"Service","apiVersion":"v1","metadata":{{"name":"kubernetes",)"
              R"("namespace":"default","labels":{{"component":"apiserver",)"
              R"("provider":"kubernetes"}}}},"spec":{{"ports":[{{"name":"https",)"
              R"("protocol":"TCP","port":443,"targetPort":{1}}}],"clusterIP":"{0}",)"
              R"("clusterIPs":["{0}"],"type":"ClusterIP","sessionAffinity":"None",)"
              R"("ipFamilies":["IPv4"],"ipFamilyPolicy":"SingleStack",)"
              R"("internalTrafficPolicy":"Cluster"}},"status":{{"loadBalancer":{{}}}}}})",
              cluster_ip, port)};
}

PolicyRules DefaultRulesOf(std::string_view role) {
  const std::unique_ptr<codec::Document> facts = ParseFacts();
  return RulesIn(*MakePolicy(*facts, ListOf(*facts, "roles")), role);
}

}  // namespace plimsoll::apiserver
