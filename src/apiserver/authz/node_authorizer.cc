#include "apiserver/authz/node_authorizer.h"

#include <algorithm>
#include <initializer_list>
#include <string>

#include "api/selector/field_selector.h"
#include "base/go_text.h"

namespace plimsoll::apiserver {
namespace {

using Kind = NodeReferences::Kind;

Decision Allow() { return {.is_allowed = true, .reason = {}}; }
Decision NoOpinion(std::string reason = {}) {
  return {.is_allowed = false, .reason = std::move(reason)};
}

bool IsOneOf(std::string_view text, std::initializer_list<std::string_view> texts) {
  return std::ranges::find(texts, text) != texts.end();
}

/// Returns true if the field selector restricts the list or watch to the node.
bool SelectsNode(const RequestInfo& what, std::string_view node) {
  const Result<api::FieldSelector> selector = api::FieldSelector::Parse(what.field_selector);
  return selector && std::ranges::any_of(selector->requirements(),
                                         [&](const api::FieldRequirement& requirement) {
                                           return requirement.field == "spec.nodeName" &&
                                                  requirement.is_equal && requirement.value == node;
                                         });
}

/// Returns true if the object has the node's name, as Leases and CSINodes have. A create request
/// has no name yet; admission checks it.
bool IsOwn(std::string_view node, const RequestInfo& what) {
  return what.verb == "create" || what.name == node;
}

Decision Lease(std::string_view node, const RequestInfo& what) {
  if (!IsOneOf(what.verb, {"get", "create", "update", "patch", "delete"})) {
    return NoOpinion("can only get, create, update, patch, or delete a node lease");
  }
  if (what.namespace_ != "kube-node-lease") {
    return NoOpinion("can only access leases in the \"kube-node-lease\" system namespace");
  }
  if (!IsOwn(node, what)) {
    return NoOpinion("can only access node lease with the same name as the requesting node");
  }
  return Allow();
}

Decision CsiNode(std::string_view node, const RequestInfo& what) {
  if (!IsOneOf(what.verb, {"get", "create", "update", "patch", "delete"})) {
    return NoOpinion("can only get, create, update, patch, or delete a CSINode");
  }
  if (!what.subresource.empty()) return NoOpinion("cannot authorize CSINode subresources");
  if (!IsOwn(node, what)) {
    return NoOpinion("can only access CSINode with the same name as the requesting node");
  }
  return Allow();
}

Decision Node(std::string_view node, const RequestInfo& what) {
  if (what.subresource == "status" && IsOneOf(what.verb, {"update", "patch"})) return Allow();
  if (!what.subresource.empty()) return NoOpinion();
  if (IsOneOf(what.verb, {"create", "update", "patch"})) return Allow();
  if (!IsOneOf(what.verb, {"get", "list", "watch"})) return NoOpinion();
  if (what.name == node) return Allow();
  const std::string own = "node '" + std::string(node) + "' cannot read ";
  if (what.name.empty()) return NoOpinion(own + "all nodes, only its own Node object");
  return NoOpinion(own + "'" + what.name + "', only its own Node object");
}

}  // namespace

std::optional<std::string_view> NodeIdentity(const User& user) {
  constexpr std::string_view kPrefix = "system:node:";
  if (!user.name.starts_with(kPrefix) || !user.IsIn("system:nodes")) return std::nullopt;
  return std::string_view(user.name).substr(kPrefix.size());
}

Decision NodeAuthorizer::Needed(std::string_view node, Kind kind, const RequestInfo& what) const {
  if (what.name.empty()) return NoOpinion("No Object name found");
  if (needs_(node, kind, what.namespace_, what.name)) return Allow();
  return NoOpinion("no relationship found between node '" + std::string(node) +
                   "' and this object");
}

Decision NodeAuthorizer::Get(std::string_view node, Kind kind, const RequestInfo& what) const {
  if (what.verb != "get") return NoOpinion("can only get individual resources of this type");
  if (!what.subresource.empty()) return NoOpinion("cannot get subresource");
  return Needed(node, kind, what);
}

Decision NodeAuthorizer::ReadNamespaced(std::string_view node, Kind kind,
                                        const RequestInfo& what) const {
  if (!IsOneOf(what.verb, {"get", "list", "watch"})) {
    return NoOpinion("can only read resources of this type");
  }
  if (!what.subresource.empty()) return NoOpinion("cannot read subresource");
  if (what.namespace_.empty()) return NoOpinion("can only read namespaced object of this type");
  return Needed(node, kind, what);
}

Decision NodeAuthorizer::Claim(std::string_view node, const RequestInfo& what) const {
  if (what.subresource != "status") return Get(node, Kind::PersistentVolumeClaim, what);
  if (!IsOneOf(what.verb, {"update", "patch"})) {
    return NoOpinion("can only get/update/patch this type");
  }
  return Needed(node, Kind::PersistentVolumeClaim, what);
}

Decision NodeAuthorizer::ServiceAccount(std::string_view node, const RequestInfo& what) const {
  if (what.verb == "get" && what.subresource.empty()) {
    return ReadNamespaced(node, Kind::ServiceAccount, what);
  }
  if (what.verb != "create" || what.name.empty()) {
    return NoOpinion("can only create tokens for individual service accounts");
  }
  if (what.subresource != "token") {
    return NoOpinion("can only create token subresource of serviceaccount");
  }
  return Needed(node, Kind::ServiceAccount, what);
}

Decision NodeAuthorizer::Slice(std::string_view node, const RequestInfo& what) const {
  if (!what.subresource.empty()) return NoOpinion("cannot authorize ResourceSlice subresources");
  if (what.verb == "create") return Allow();
  if (IsOneOf(what.verb, {"get", "update", "patch", "delete"})) {
    return Needed(node, Kind::ResourceSlice, what);
  }
  if (IsOneOf(what.verb, {"list", "watch", "deletecollection"})) {
    if (SelectsNode(what, node)) return Allow();
    return NoOpinion(
        "can only list/watch/deletecollection resourceslices with nodeName field selector");
  }
  return NoOpinion(
      "only the following verbs are allowed for a ResourceSlice: get, watch, list, "
      "create, update, patch, delete, deletecollection");
}

Decision NodeAuthorizer::Pod(std::string_view node, const RequestInfo& what) const {
  if (what.subresource == "status" && IsOneOf(what.verb, {"update", "patch"})) return Allow();
  if (what.subresource == "eviction" && what.verb == "create") return Allow();
  if (!what.subresource.empty()) return NoOpinion();
  if (what.verb == "get") return Get(node, Kind::Pod, what);
  if (IsOneOf(what.verb, {"create", "delete"})) return Allow();
  if (!IsOneOf(what.verb, {"list", "watch"})) return NoOpinion();
  if (SelectsNode(what, node)) return Allow();
  if (!what.name.empty()) return Needed(node, Kind::Pod, what);
  return NoOpinion("can only list/watch pods with spec.nodeName field selector");
}

std::optional<Decision> NodeAuthorizer::Subdivided(std::string_view node,
                                                   const RequestInfo& what) const {
  if (what.group.empty()) {
    if (what.resource == "secrets") return ReadNamespaced(node, Kind::Secret, what);
    if (what.resource == "configmaps") return ReadNamespaced(node, Kind::ConfigMap, what);
    if (what.resource == "persistentvolumeclaims") return Claim(node, what);
    if (what.resource == "persistentvolumes") return Get(node, Kind::PersistentVolume, what);
    if (what.resource == "serviceaccounts") return ServiceAccount(node, what);
    if (what.resource == "nodes") return Node(node, what);
    if (what.resource == "pods") return Pod(node, what);
  } else if (what.group == "resource.k8s.io") {
    if (what.resource == "resourceclaims") return Get(node, Kind::ResourceClaim, what);
    if (what.resource == "resourceslices") return Slice(node, what);
  } else if (what.group == "storage.k8s.io") {
    if (what.resource == "volumeattachments") return Get(node, Kind::VolumeAttachment, what);
    if (what.resource == "csinodes") return CsiNode(node, what);
  } else if (what.group == "coordination.k8s.io" && what.resource == "leases") {
    return Lease(node, what);
  }
  return std::nullopt;
}

Decision NodeAuthorizer::Authorize(const User& user, const RequestInfo& what) const {
  const std::optional<std::string_view> node = NodeIdentity(user);
  if (!node) return NoOpinion();
  if (node->empty()) return NoOpinion("unknown node for user " + GoQuote(user.name));
  if (what.is_resource_request) {
    if (std::optional<Decision> decision = Subdivided(*node, what)) return *std::move(decision);
  }
  const bool is_allowed =
      std::ranges::any_of(rules_, [&](const PolicyRule& rule) { return Allows(rule, what); });
  return is_allowed ? Allow() : NoOpinion();
}

}  // namespace plimsoll::apiserver
