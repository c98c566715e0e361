#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/authz/policy_rule.h"
#include "base/time.h"

/// Objects that every cluster has from the start.
namespace plimsoll::apiserver {

struct DefaultObject {
  std::string_view group;
  std::string_view resource;  // clusterroles
  std::string namespace_;
  std::string name;
  std::string json;
};

/// Returns default, kube-system, kube-public and kube-node-lease.
std::vector<DefaultObject> DefaultNamespaces();
/// Returns system-cluster-critical and system-node-critical.
std::vector<DefaultObject> DefaultPriorityClasses();
/// Aggregated roles have their rules, as the controller would write them.
std::vector<DefaultObject> DefaultClusterRoles();
std::vector<DefaultObject> DefaultClusterRoleBindings();
/// Return the roles and bindings in kube-system and kube-public.
std::vector<DefaultObject> DefaultRoles();
std::vector<DefaultObject> DefaultRoleBindings();
/// Returns the ConfigMap in kube-system from which extension API servers read the authorities of
/// client certificates.
DefaultObject AuthenticationConfigMap(std::string_view client_ca_pem);
/// Returns the ConfigMap in kube-system with the start date of legacy token tracking.
DefaultObject TokenTrackingConfigMap(Instant now);
/// Returns the ClusterRole and ClusterRoleBinding `plimsoll:controller-manager`. They grant the
/// user system:kube-controller-manager the rules of all controllers in that process. Upstream's
/// process uses one service account per controller instead.
std::vector<DefaultObject> ControllerManagerRoles();
/// Returns the service `kubernetes`, by which pods find the server on this port.
DefaultObject KubernetesService(std::string_view cluster_ip, std::uint16_t port);

/// Returns the rules of a default role, such as system:node. REQUIRES: the role exists.
PolicyRules DefaultRulesOf(std::string_view role);

/// Returns the embedded JSON of roles with rules and bindings, in a compact form.
std::string_view ClusterRolesJson();

}  // namespace plimsoll::apiserver
