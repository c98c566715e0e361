#pragma once

#include <cstdint>
#include <string>

namespace plimsoll::apiserver {

/// Scope of the objects that a request addresses.
enum class Scope : std::uint8_t {
  None,           // non-resource path: /healthz, /apis, /version
  Cluster,        // nodes, or the namespace object itself
  Namespace,      // objects of one namespace
  AllNamespaces,  // a list or watch of a namespaced resource across all namespaces
};

/// Attributes of a request. RBAC, admission and handlers decide by these alone.
/// ParseRequest sets them from the path. Access reviews and impersonation set them for a
/// hypothetical request.
struct RequestInfo {
  bool is_resource_request = false;
  Scope scope = Scope::None;
  /// get list watch create update patch delete deletecollection. The lower-case method for a
  /// non-resource path. Empty if a resource has no verb for the method.
  std::string verb;
  std::string path;
  std::string group;  // empty: core
  std::string version;
  /// Namespace whose RoleBindings apply. A namespace object is in its own namespace, as upstream,
  /// although its scope is Cluster.
  std::string namespace_;
  std::string resource;
  std::string subresource;
  std::string name;            // list, watch: the name in `fieldSelector=metadata.name=x`
  std::string field_selector;  // of a list, watch or deletecollection, as sent
};

}  // namespace plimsoll::apiserver
