#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "api/selector/selector.h"
#include "apiserver/authz/policy_rule.h"

/// Roles and bindings in the form that the authorizer uses.
namespace plimsoll::apiserver {

inline constexpr std::string_view kRbacGroup = "rbac.authorization.k8s.io";

struct RoleRef {
  std::string group;
  std::string kind;  // Role or ClusterRole
  std::string name;

  friend bool operator==(const RoleRef&, const RoleRef&) = default;
};

struct Subject {
  std::string kind;  // User, Group or ServiceAccount
  std::string group;
  std::string name;
  std::string namespace_;  // of a ServiceAccount

  friend bool operator==(const Subject&, const Subject&) = default;
};

struct Role {
  std::string namespace_;  // empty: a ClusterRole
  std::string name;
  std::map<std::string, std::string, std::less<>> labels;
  PolicyRules rules;
  std::vector<api::Selector> aggregated;  // select the ClusterRoles whose rules are aggregated
  bool is_aggregated = false;
};

struct RoleBinding {
  std::string namespace_;  // empty: a ClusterRoleBinding
  std::string name;
  RoleRef role;
  std::vector<Subject> subjects;
};

/// Reads a stored object of either scope.
Role ReadRole(const codec::Value& tree);
RoleBinding ReadRoleBinding(const codec::Value& tree);
RoleRef ReadRoleRef(const codec::Value& binding);
std::vector<Subject> ReadSubjects(const codec::Value& binding);

/// Returns `system:serviceaccount:ns:name`.
std::string ServiceAccountUser(std::string_view namespace_, std::string_view name);

}  // namespace plimsoll::apiserver
