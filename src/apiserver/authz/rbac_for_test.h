#pragma once

#include <string>
#include <string_view>

#include "apiserver/authz/rbac_policy.h"
#include "apiserver/bootstrap/default_objects.h"
#include "base/assert.h"
#include "codec/json.h"

namespace plimsoll::apiserver {

inline Role RoleOf(std::string_view json) {
  const auto document = codec::ParseJson(std::string(json));
  PL_ASSERT(document.has_value());
  return ReadRole((*document)->root());
}

inline RoleBinding BindingOf(std::string_view json) {
  const auto document = codec::ParseJson(std::string(json));
  PL_ASSERT(document.has_value());
  return ReadRoleBinding((*document)->root());
}

/// Adds the default roles and bindings.
inline void PutDefaults(RbacPolicyBuilder& builder) {
  for (const DefaultObject& role : DefaultClusterRoles()) builder.Put(RoleOf(role.json));
  for (const DefaultObject& binding : DefaultClusterRoleBindings()) {
    builder.Put(BindingOf(binding.json));
  }
}

inline User UserNamed(std::string name, std::vector<std::string> groups = {}) {
  User user;
  user.name = std::move(name);
  user.groups = std::move(groups);
  return user;
}

/// Returns a resource request: verb, then `group/resource[/subresource]` (core group: `/pods`),
/// then namespace and name.
inline RequestInfo Request(std::string verb, std::string_view thing, std::string namespace_ = "",
                           std::string name = "") {
  RequestInfo what;
  what.verb = std::move(verb);
  what.is_resource_request = true;
  what.namespace_ = std::move(namespace_);
  what.name = std::move(name);
  const std::size_t first = thing.find('/');
  PL_ASSERT(first != std::string_view::npos);
  what.group = thing.substr(0, first);
  thing.remove_prefix(first + 1);
  const std::size_t second = std::min(thing.find('/'), thing.size());
  what.resource = thing.substr(0, second);
  if (second < thing.size()) what.subresource = thing.substr(second + 1);
  return what;
}

inline RequestInfo PathRequest(std::string verb, std::string path) {
  RequestInfo what;
  what.verb = std::move(verb);
  what.path = std::move(path);
  return what;
}

}  // namespace plimsoll::apiserver
