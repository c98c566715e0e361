#include "apiserver/admission/node_restriction.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "apiserver/strategy/place.h"

namespace plimsoll::apiserver {
namespace {

constexpr std::string_view kNodePrefix = "system:node:";
constexpr std::string_view kLeaseNamespace = "kube-node-lease";

constexpr std::array<std::string_view, 13> kAllowedLabels = {
    "kubernetes.io/hostname",
    "topology.kubernetes.io/zone",
    "topology.kubernetes.io/region",
    "failure-domain.beta.kubernetes.io/zone",
    "failure-domain.beta.kubernetes.io/region",
    "beta.kubernetes.io/instance-type",
    "node.kubernetes.io/instance-type",
    "kubernetes.io/os",
    "beta.kubernetes.io/os",
    "kubernetes.io/arch",
    "beta.kubernetes.io/arch",
    "node.kubernetes.io/windows-build",
    "node.kubernetes.io/exclude-disruption",
};
constexpr std::array<std::string_view, 2> kAllowedDomains = {"kubelet.kubernetes.io",
                                                             "node.kubernetes.io"};

bool IsInDomain(std::string_view name, std::string_view domain) {
  return name == domain || (name.ends_with(domain) && name[name.size() - domain.size() - 1] == '.');
}

api::StatusObject Refused(const AdmissionAttributes& attributes, std::string why) {
  return api::Forbidden(
      {attributes.resource->group(), attributes.resource->name(), attributes.name}, why);
}

/// The node that the user is the agent of, or empty.
std::string_view NodeOf(const User& user) {
  if (!user.IsIn("system:nodes") || !user.name.starts_with(kNodePrefix)) return {};
  return std::string_view(user.name).substr(kNodePrefix.size());
}

/// The keys whose value differs between the two, or that only one has.
std::set<std::string_view> ChangedLabels(const codec::Value& now, const codec::Value* before) {
  const codec::Value* labels = FindAt(now, "metadata", "labels");
  const codec::Value* old = before == nullptr ? nullptr : FindAt(*before, "metadata", "labels");
  std::set<std::string_view> changed;
  const auto collect = [&](const codec::Value* from, const codec::Value* other) {
    if (from == nullptr) return;
    for (const codec::Member& member : from->members()) {
      const codec::Value* found = other == nullptr ? nullptr : other->Find(member.key);
      if (found == nullptr || !(*found == member.value)) changed.insert(member.key);
    }
  };
  collect(labels, old);
  collect(old, labels);
  return changed;
}

std::string ForbiddenLabels(const codec::Value& now, const codec::Value* before) {
  std::string list;
  for (const std::string_view key : ChangedLabels(now, before)) {
    if (IsNodeLabelAllowed(key)) continue;
    if (!list.empty()) list += ", ";
    list += key;
  }
  return list;
}

}  // namespace

bool IsNodeLabelAllowed(std::string_view key) {
  const std::size_t slash = key.find('/');
  if (slash == std::string_view::npos) return true;
  const std::string_view domain = key.substr(0, slash);
  if (!IsInDomain(domain, "kubernetes.io") && !IsInDomain(domain, "k8s.io")) return true;
  if (std::ranges::find(kAllowedLabels, key) != kAllowedLabels.end()) return true;
  return std::ranges::any_of(kAllowedDomains,
                             [&](std::string_view allowed) { return IsInDomain(domain, allowed); });
}

api::Answer<void> NodeRestriction::AdmitNode(const AdmissionAttributes& attributes,
                                             std::string_view node) const {
  const bool is_create = attributes.operation == Operation::Create;
  const std::string_view name =
      is_create ? TextAt(attributes.document->root(), "metadata", "name") : attributes.name;
  if (name != node) {
    return std::unexpected(Refused(
        attributes, fmt::format("node {:?} is not allowed to modify node {:?}", node, name)));
  }
  if (attributes.document == nullptr) return {};
  const codec::Value& now = attributes.document->root();
  const codec::Value* before = attributes.before == nullptr ? nullptr : &attributes.before->tree();
  if (const std::string labels = ForbiddenLabels(now, before); !labels.empty()) {
    const std::string_view what = is_create ? "is not allowed to set the following labels"
                                            : "is not allowed to modify labels";
    return std::unexpected(
        Refused(attributes, fmt::format("node {:?} {}: {}", node, what, labels)));
  }
  if (before == nullptr) return {};
  const codec::Value* spec = now.Find("spec");
  const codec::Value* old_spec = before->Find("spec");
  const codec::Value none;
  const bool is_same =
      SameAt(spec == nullptr ? none : *spec, old_spec == nullptr ? none : *old_spec, "taints");
  if (!is_same) {
    return std::unexpected(
        Refused(attributes, fmt::format("node {:?} is not allowed to modify taints", node)));
  }
  return {};
}

api::Answer<void> NodeRestriction::AdmitPod(const AdmissionAttributes& attributes,
                                            std::string_view node) const {
  const auto is_bound_here = [&](const codec::Value& pod) {
    return TextAt(pod, "spec", "nodeName") == node;
  };
  switch (attributes.operation) {
    case Operation::Create: {
      const codec::Value& pod = attributes.document->root();
      if (FindAt(pod, "metadata", "annotations", "kubernetes.io/config.mirror") == nullptr) {
        return std::unexpected(Refused(
            attributes,
            fmt::format("pod does not have {:?} annotation, node {:?} can only create mirror pods",
                        "kubernetes.io/config.mirror", node)));
      }
      if (is_bound_here(pod)) return {};
      return std::unexpected(Refused(
          attributes,
          fmt::format("node {:?} can only create pods with spec.nodeName set to itself", node)));
    }
    case Operation::Update:
      if (attributes.subresource != "status") {
        return std::unexpected(Refused(
            attributes, fmt::format("unexpected operation \"UPDATE\", node {:?} can only create, "
                                    "update the status of and delete pods",
                                    node)));
      }
      if (is_bound_here(attributes.before->tree())) return {};
      return std::unexpected(Refused(
          attributes,
          fmt::format("node {:?} can only update pod status for pods with spec.nodeName set to "
                      "itself",
                      node)));
    case Operation::Delete:
      if (attributes.before != nullptr && is_bound_here(attributes.before->tree())) return {};
      return std::unexpected(Refused(
          attributes,
          fmt::format("node {:?} can only delete pods with spec.nodeName set to itself", node)));
    case Operation::Connect:
      break;
  }
  return {};
}

api::Answer<void> NodeRestriction::AdmitEviction(const AdmissionAttributes& attributes,
                                                 std::string_view node) const {
  const ObjectPtr pod = cache_.Get(pods_, attributes.namespace_, attributes.name);
  if (pod != nullptr && pod->fields().Find("spec.nodeName") == node) return {};
  return std::unexpected(
      Refused(attributes,
              fmt::format("node {:?} can only evict pods with spec.nodeName set to itself", node)));
}

api::Answer<void> NodeRestriction::Admit(AdmissionAttributes& attributes) {
  const std::string_view node = NodeOf(*attributes.user);
  if (node.empty()) return {};
  const std::string_view kind = attributes.resource->kind->kind;
  if (kind == "Node") return AdmitNode(attributes, node);
  if (kind == "Pod") {
    return attributes.subresource == "eviction" ? AdmitEviction(attributes, node)
                                                : AdmitPod(attributes, node);
  }
  if (kind == "Lease") {
    const std::string_view name = attributes.operation == Operation::Create
                                      ? TextAt(attributes.document->root(), "metadata", "name")
                                      : attributes.name;
    if (attributes.namespace_ != kLeaseNamespace) {
      return std::unexpected(Refused(
          attributes,
          fmt::format("can only access leases in the {:?} system namespace", kLeaseNamespace)));
    }
    if (name != node) {
      return std::unexpected(Refused(
          attributes, "can only access node lease with the same name as the requesting node"));
    }
  }
  if (kind == "ResourceSlice" && attributes.operation == Operation::Create &&
      TextAt(attributes.document->root(), "spec", "nodeName") != node) {
    return std::unexpected(Refused(attributes,
                                   "can only create ResourceSlice with the same NodeName as the "
                                   "requesting node"));
  }
  return {};
}

}  // namespace plimsoll::apiserver
