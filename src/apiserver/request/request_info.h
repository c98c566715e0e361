#pragma once

#include <cstdint>
#include <string>

namespace plimsoll::apiserver {

/// Where the objects of a request live.
enum class Scope : std::uint8_t {
  None,           // the path is not a resource's: /healthz, /apis, /version
  Cluster,        // nodes, or the namespace object itself
  Namespace,      // objects of one namespace
  AllNamespaces,  // a list or watch of a namespaced resource across all namespaces
};

/// The attributes of a request: RBAC, admission and handlers decide by these and by nothing else.
/// ParseRequest makes them from a path that fits the table of served resources. Access reviews and
/// impersonation make them for a hypothetical request.
struct RequestInfo {
  bool is_resource_request = false;
  Scope scope = Scope::None;
  /// get list watch create update patch delete deletecollection; the lower-case method if the path
  /// is not a resource's; empty if a resource has no verb for the method.
  std::string verb;
  std::string path;
  std::string group;  // empty: core
  std::string version;
  /// The namespace whose RoleBindings count. A namespace object is in its own namespace, as
  /// upstream has it, although its scope is Cluster.
  std::string namespace_;
  std::string resource;
  std::string subresource;
  std::string name;  // of a list or watch: the one that `fieldSelector=metadata.name=x` pins
  std::string field_selector;  // of a list, watch or deletecollection, as it was sent
};

}  // namespace plimsoll::apiserver
