#include "apiserver/admission/node_restriction.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "api/validation/semantic_diff.h"
#include "apiserver/authz/node_authorizer.h"
#include "apiserver/authz/pod_references.h"
#include "apiserver/authz/policy_rule.h"
#include "apiserver/strategy/object_editor.h"
#include "base/assert.h"
#include "base/go_text.h"

namespace plimsoll::apiserver {
namespace {

using codec::Value;
using namespace std::string_view_literals;

constexpr std::string_view kLeaseNamespace = "kube-node-lease";

constexpr std::array kAllowedLabels = {
    "kubernetes.io/hostname"sv,
    "topology.kubernetes.io/zone"sv,
    "topology.kubernetes.io/region"sv,
    "failure-domain.beta.kubernetes.io/zone"sv,
    "failure-domain.beta.kubernetes.io/region"sv,
    "beta.kubernetes.io/instance-type"sv,
    "node.kubernetes.io/instance-type"sv,
    "kubernetes.io/os"sv,
    "beta.kubernetes.io/os"sv,
    "kubernetes.io/arch"sv,
    "beta.kubernetes.io/arch"sv,
};
constexpr std::array kAllowedDomains = {"kubelet.kubernetes.io"sv, "node.kubernetes.io"sv};

/// Fields of a PersistentVolumeClaim that the kubelet writes after it has expanded the volume, and
/// fields that every write changes.
constexpr std::array kExpansionFields = {
    "metadata.resourceVersion"sv,  "metadata.managedFields"sv,
    "status.capacity"sv,           "status.conditions"sv,
    "status.allocatedResources"sv, "status.allocatedResourceStatuses"sv,
};

bool IsInDomain(std::string_view name, std::string_view domain) {
  return name == domain || (name.ends_with(domain) && name[name.size() - domain.size() - 1] == '.');
}

std::unexpected<api::StatusObject> Refuse(const AdmissionAttributes& attributes,
                                          std::string_view why) {
  return std::unexpected(api::Forbidden(
      {attributes.resource->group(), attributes.resource->name(), attributes.name}, why));
}

std::string_view TextOf(Operation operation) {
  switch (operation) {
    case Operation::Create:
      return "CREATE";
    case Operation::Update:
      return "UPDATE";
    case Operation::Delete:
      return "DELETE";
    case Operation::Connect:
      return "CONNECT";
  }
  return {};
}

std::unexpected<api::StatusObject> UnexpectedOperation(const AdmissionAttributes& attributes) {
  return Refuse(attributes,
                fmt::format("unexpected operation \"{}\"", TextOf(attributes.operation)));
}

/// Returns true if the write does not change these fields of the stored object.
template <class... Fields>
bool IsSame(const AdmissionAttributes& attributes, const Fields&... fields) {
  const Value* const before =
      attributes.before == nullptr ? nullptr : FindAt(attributes.before->tree(), fields...);
  return api::Differences(before, FindAt(attributes.document->root(), fields...), {}).empty();
}

/// Same as above, for maps and lists in metadata, where an empty string is a value, too.
bool IsSameMetadata(const AdmissionAttributes& attributes, std::string_view field) {
  static const Value kNone;
  const Value* const before = attributes.before->tree().Find("metadata");
  const Value* const now = attributes.document->root().Find("metadata");
  return SameAt(before == nullptr ? kNone : *before, now == nullptr ? kNone : *now, field);
}

/// Returns the label keys that were added, removed or changed.
std::set<std::string_view> ChangedLabels(const Value& now, const Value* before) {
  const Value* labels = FindAt(now, "metadata", "labels");
  const Value* old = before == nullptr ? nullptr : FindAt(*before, "metadata", "labels");
  std::set<std::string_view> changed;
  const auto collect = [&](const Value* from, const Value* other) {
    if (from == nullptr) return;
    for (const codec::Member& member : from->members()) {
      const Value* found = other == nullptr ? nullptr : other->Find(member.key);
      if (found == nullptr || !(*found == member.value)) changed.insert(member.key);
    }
  };
  collect(labels, old);
  collect(old, labels);
  return changed;
}

std::string ForbiddenLabels(const AdmissionAttributes& attributes) {
  const Value* const before = attributes.before == nullptr ? nullptr : &attributes.before->tree();
  std::string list;
  for (const std::string_view key : ChangedLabels(attributes.document->root(), before)) {
    if (IsNodeLabelAllowed(key)) continue;
    if (!list.empty()) list += ", ";
    list += key;
  }
  return list;
}

api::Answer<void> AdmitNewNode(const AdmissionAttributes& attributes, const std::string& node) {
  const Value* const config = FindAt(attributes.document->root(), "spec", "configSource");
  if (config != nullptr && !config->is_null()) {
    return Refuse(attributes,
                  "node " + node + " is not allowed to create pods with a non-nil configSource");
  }
  // If the node could delete an owner, garbage collection would delete its Node, and it could
  // register again without its taints.
  if (!IsSame(attributes, "metadata", "ownerReferences")) {
    return Refuse(attributes, "node " + node + " is not allowed to set ownerReferences");
  }
  const std::string labels = ForbiddenLabels(attributes);
  if (labels.empty()) return {};
  return Refuse(attributes,
                "node " + node + " is not allowed to set the following labels: " + labels);
}

api::Answer<void> AdmitNodeUpdate(const AdmissionAttributes& attributes, const std::string& node) {
  const Value* const config = FindAt(attributes.document->root(), "spec", "configSource");
  if (config != nullptr && !config->is_null() && !IsSame(attributes, "spec", "configSource")) {
    return Refuse(attributes, "node " + node +
                                  " is not allowed to update configSource to a new non-nil "
                                  "configSource");
  }
  if (!IsSame(attributes, "spec", "taints")) {
    return Refuse(attributes, "node " + node + " is not allowed to modify taints");
  }
  if (!IsSame(attributes, "metadata", "ownerReferences")) {
    return Refuse(attributes, "node " + node + " is not allowed to modify ownerReferences");
  }
  const std::string labels = ForbiddenLabels(attributes);
  if (labels.empty()) return {};
  return Refuse(attributes, "is not allowed to modify labels: " + labels);
}

api::Answer<void> AdmitNode(const AdmissionAttributes& attributes, std::string_view node) {
  if (attributes.name != node) {
    return Refuse(attributes, fmt::format("node {} is not allowed to modify node {}", GoQuote(node),
                                          GoQuote(attributes.name)));
  }
  if (attributes.operation == Operation::Create) return AdmitNewNode(attributes, GoQuote(node));
  if (attributes.operation == Operation::Update) return AdmitNodeUpdate(attributes, GoQuote(node));
  return {};
}

api::Answer<void> AdmitPodStatus(const AdmissionAttributes& attributes, std::string_view node) {
  if (attributes.operation != Operation::Update) return UnexpectedOperation(attributes);
  if (TextAt(attributes.before->tree(), "spec", "nodeName") != node) {
    return Refuse(attributes, fmt::format("node {} can only update pod status for pods with "
                                          "spec.nodeName set to itself",
                                          GoQuote(node)));
  }
  // Upstream compares only the labels. Kubelets do not write the other two either.
  for (const std::string_view field : {"labels"sv, "annotations"sv, "finalizers"sv}) {
    if (IsSameMetadata(attributes, field)) continue;
    return Refuse(attributes,
                  fmt::format("node {} cannot update {} through pod status", GoQuote(node), field));
  }
  if (!IsSame(attributes, "status", "resourceClaimStatuses")) {
    return Refuse(attributes,
                  fmt::format("node {} cannot update resource claim statues", GoQuote(node)));
  }
  if (!IsSame(attributes, "status", "extendedResourceClaimStatus")) {
    return Refuse(attributes, fmt::format("node {} cannot update extended resource claim status",
                                          GoQuote(node)));
  }
  return {};
}

api::Answer<void> AdmitClaim(const AdmissionAttributes& attributes, std::string_view node) {
  if (attributes.subresource != "status") return Refuse(attributes, "may only update PVC status");
  if (attributes.operation != Operation::Update) return UnexpectedOperation(attributes);
  const std::vector<api::Difference> differences =
      api::Differences(&attributes.before->tree(), &attributes.document->root(), kExpansionFields);
  if (differences.empty() && IsSameMetadata(attributes, "labels") &&
      IsSameMetadata(attributes, "annotations")) {
    return {};
  }
  return Refuse(
      attributes,
      fmt::format("node {} is not allowed to update fields other than status.quantity and "
                  "status.conditions: {}",
                  GoQuote(node), api::DescribeDifferences(differences, "")));
}

api::Answer<void> AdmitLease(const AdmissionAttributes& attributes, std::string_view node) {
  if (attributes.namespace_ != kLeaseNamespace) {
    return Refuse(attributes, fmt::format("can only access leases in the {} system namespace",
                                          GoQuote(kLeaseNamespace)));
  }
  if (attributes.name == node) return {};
  return Refuse(attributes, "can only access node lease with the same name as the requesting node");
}

api::Answer<void> AdmitCsiNode(const AdmissionAttributes& attributes, std::string_view node) {
  if (attributes.name == node) return {};
  return Refuse(attributes, "can only access CSINode with the same name as the requesting node");
}

api::Answer<void> AdmitSlice(const AdmissionAttributes& attributes, std::string_view node) {
  // For updates, the node authorizer has checked the stored slice, and nodeName is immutable.
  if (attributes.operation != Operation::Create && attributes.operation != Operation::Delete) {
    return {};
  }
  const bool is_create = attributes.operation == Operation::Create;
  const Value& slice = is_create ? attributes.document->root() : attributes.before->tree();
  if (TextAt(slice, "spec", "nodeName") == node) return {};
  return Refuse(attributes, fmt::format("can only {} ResourceSlice with the same NodeName as the "
                                        "requesting node",
                                        is_create ? "create" : "delete"));
}

const Resource& ResourceOf(const ResourceTable& resources, std::string_view plural) {
  const Resource* const found = resources.Find("", "v1", plural);
  PL_ASSERT(found != nullptr);
  return *found;
}

}  // namespace

bool IsNodeLabelAllowed(std::string_view key) {
  const std::size_t slash = key.find('/');
  if (slash == std::string_view::npos) return true;
  const std::string_view domain = key.substr(0, slash);
  if (IsInDomain(domain, "node-restriction.kubernetes.io")) return false;
  if (!IsInDomain(domain, "kubernetes.io") && !IsInDomain(domain, "k8s.io")) return true;
  if (std::ranges::find(kAllowedLabels, key) != kAllowedLabels.end()) return true;
  return std::ranges::any_of(kAllowedDomains,
                             [&](std::string_view allowed) { return IsInDomain(domain, allowed); });
}

NodeRestriction::NodeRestriction(const Cache& cache, const ResourceTable& resources,
                                 const Authorizer& authorizer)
    : cache_(cache),
      pods_(ResourceOf(resources, "pods")),
      nodes_(ResourceOf(resources, "nodes")),
      authorizer_(authorizer),
      audiences_(cache, resources) {}

api::Answer<void> NodeRestriction::AdmitPod(const AdmissionAttributes& attributes,
                                            std::string_view node) const {
  if (attributes.operation == Operation::Create) return AdmitMirrorPod(attributes, node);
  if (attributes.operation != Operation::Delete) {
    return Refuse(attributes,
                  fmt::format("unexpected operation \"{}\", node {} can only create and delete "
                              "mirror pods",
                              TextOf(attributes.operation), GoQuote(node)));
  }
  if (TextAt(attributes.before->tree(), "spec", "nodeName") == node) return {};
  return Refuse(
      attributes,
      fmt::format("node {} can only delete pods with spec.nodeName set to itself", GoQuote(node)));
}

api::Answer<void> NodeRestriction::AdmitMirrorPod(const AdmissionAttributes& attributes,
                                                  std::string_view node) const {
  const Value& pod = attributes.document->root();
  if (!IsMirrorPod(pod)) {
    return Refuse(attributes, fmt::format("pod does not have {} annotation, node {} can only "
                                          "create mirror pods",
                                          GoQuote(kMirrorAnnotation), GoQuote(node)));
  }
  if (TextAt(pod, "spec", "nodeName") != node) {
    return Refuse(attributes,
                  fmt::format("node {} can only create pods with spec.nodeName set to itself",
                              GoQuote(node)));
  }
  PL_TRY(CheckOwner(attributes, node));
  const Result<std::optional<std::string>> reference = FindApiReference(*pod.Find("spec"));
  if (!reference) {
    return Refuse(attributes,
                  "error checking mirror pod for API references: " + reference.error().message);
  }
  if (!*reference) return {};
  return Refuse(attributes, fmt::format("node {} can not create pods that reference {}",
                                        GoQuote(node), **reference));
}

api::Answer<void> NodeRestriction::CheckOwner(const AdmissionAttributes& attributes,
                                              std::string_view node) const {
  const auto refuse = [&](std::string_view why) {
    return Refuse(attributes, fmt::format("node {} {}", GoQuote(node), why));
  };
  const Value* const owners = FindAt(attributes.document->root(), "metadata", "ownerReferences");
  const std::size_t count = owners == nullptr ? 0 : owners->items().size();
  if (count > 1) return refuse("can only create pods with a single owner reference set to itself");
  if (count == 0) return refuse("can only create pods with an owner reference set to itself");
  const Value& owner = owners->items().front();
  if (TextAt(owner, "apiVersion") != "v1" || TextAt(owner, "kind") != "Node" ||
      TextAt(owner, "name") != node) {
    return refuse("can only create pods with an owner reference set to itself");
  }
  const auto is_set = [&](std::string_view field) {
    const Value* const value = owner.Find(field);
    return value != nullptr && value->is_bool() && value->AsBool();
  };
  if (!is_set("controller")) {
    return refuse("can only create pods with a controller owner reference set to itself");
  }
  if (is_set("blockOwnerDeletion")) {
    return refuse("must not set blockOwnerDeletion on an owner reference");
  }
  const ObjectPtr found = cache_.Get(nodes_, "", node);
  if (found == nullptr) return std::unexpected(api::NotFound({"", "node", node}));
  const std::string_view uid = TextAt(owner, "uid");
  if (uid == found->uid()) return {};
  return Refuse(attributes,
                fmt::format("node {} UID mismatch: expected {} got {}", node, uid, found->uid()));
}

api::Answer<void> NodeRestriction::AdmitEviction(const AdmissionAttributes& attributes,
                                                 std::string_view node) const {
  if (attributes.operation != Operation::Create) {
    return Refuse(attributes, fmt::format("unexpected operation {}", TextOf(attributes.operation)));
  }
  const ObjectPtr pod = cache_.Get(pods_, attributes.namespace_, attributes.name);
  if (pod == nullptr) return std::unexpected(api::NotFound({"", "pod", attributes.name}));
  if (pod->fields().Find("spec.nodeName") == node) return {};
  return Refuse(attributes,
                fmt::format("node {} can only evict pods with spec.nodeName set to itself", node));
}

api::Answer<void> NodeRestriction::AdmitToken(const AdmissionAttributes& attributes,
                                              std::string_view node) const {
  if (attributes.operation != Operation::Create || attributes.subresource != "token") return {};
  const Value* const bound = FindAt(attributes.document->root(), "spec", "boundObjectRef");
  const bool is_pod = bound != nullptr && TextAt(*bound, "apiVersion") == "v1" &&
                      TextAt(*bound, "kind") == "Pod" && !TextAt(*bound, "name").empty();
  if (!is_pod) return Refuse(attributes, "node requested token not bound to a pod");
  const std::string_view uid = TextAt(*bound, "uid");
  if (uid.empty()) {
    return Refuse(attributes, "node requested token with a pod binding without a uid");
  }
  const std::string_view name = TextAt(*bound, "name");
  const ObjectPtr pod = cache_.Get(pods_, attributes.namespace_, name);
  if (pod == nullptr) return std::unexpected(api::NotFound({"", "pod", name}));
  if (pod->uid() != uid) {
    return Refuse(attributes,
                  fmt::format("the UID in the bound object reference ({}) does not match the UID "
                              "in record. The object might have been deleted and then recreated",
                              uid));
  }
  if (pod->fields().Find("spec.nodeName") != node) {
    return Refuse(attributes, "node requested token bound to a pod scheduled on a different node");
  }
  const std::shared_ptr<const api::Object> decoded = PL_TRY(pod->Decode());
  return CheckAudience(attributes, decoded->tree());
}

api::Answer<void> NodeRestriction::CheckAudience(const AdmissionAttributes& attributes,
                                                 const Value& pod) const {
  const std::vector<std::string> audiences =
      ReadTexts(FindAt(attributes.document->root(), "spec", "audiences"));
  if (audiences.size() > 1) return Refuse(attributes, "node may only request 0 or 1 audiences");
  const std::string audience = audiences.empty() ? std::string() : audiences.front();
  const Result<bool> has = audiences_.Has(pod, attributes.namespace_, audience);
  if (!has) {
    return Refuse(attributes, fmt::format("error validating audience {}: {}", GoQuote(audience),
                                          has.error().message));
  }
  if (*has) return {};
  RequestInfo what;
  what.is_resource_request = true;
  what.verb = "request-serviceaccounts-token-audience";
  what.version = "v1";
  what.namespace_ = attributes.namespace_;
  what.resource = audience;
  what.name = attributes.name;
  if (authorizer_.Authorize(*attributes.user, what).is_allowed) return {};
  return Refuse(attributes, fmt::format("audience {} not found in pod spec volume, {} is not "
                                        "authorized to request tokens for this audience",
                                        GoQuote(audience), attributes.user->name));
}

api::Answer<void> NodeRestriction::Admit(AdmissionAttributes& attributes) {
  const std::optional<std::string_view> node = NodeIdentity(*attributes.user);
  if (!node || attributes.operation == Operation::Connect) return {};
  if (node->empty()) {
    return Refuse(attributes,
                  "could not determine node from user " + GoQuote(attributes.user->name));
  }
  const std::string_view group = attributes.resource->group();
  const std::string_view resource = attributes.resource->name();
  if (group.empty()) {
    if (resource == "nodes") return AdmitNode(attributes, *node);
    if (resource == "persistentvolumeclaims") return AdmitClaim(attributes, *node);
    if (resource == "serviceaccounts") return AdmitToken(attributes, *node);
    if (resource != "pods") return {};
    if (attributes.subresource.empty()) return AdmitPod(attributes, *node);
    if (attributes.subresource == "status") return AdmitPodStatus(attributes, *node);
    if (attributes.subresource == "eviction") return AdmitEviction(attributes, *node);
    return Refuse(attributes, fmt::format("unexpected pod subresource {}, only 'status' and "
                                          "'eviction' are allowed",
                                          GoQuote(attributes.subresource)));
  }
  if (group == "coordination.k8s.io" && resource == "leases") return AdmitLease(attributes, *node);
  if (group == "storage.k8s.io" && resource == "csinodes") return AdmitCsiNode(attributes, *node);
  if (group == "resource.k8s.io" && resource == "resourceslices") {
    return AdmitSlice(attributes, *node);
  }
  return {};
}

}  // namespace plimsoll::apiserver
