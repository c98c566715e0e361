#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/authz/policy_rule.h"
#include "base/time.h"

/// What a cluster has from the start.
namespace plimsoll::apiserver {

struct DefaultObject {
  std::string_view group;
  std::string_view resource;  // clusterroles
  std::string namespace_;
  std::string name;
  std::string json;
};

/// default, kube-system, kube-public, kube-node-lease.
std::vector<DefaultObject> DefaultNamespaces();
/// system-cluster-critical and system-node-critical.
std::vector<DefaultObject> DefaultPriorityClasses();
/// Those that aggregate others have their rules, as the controller would have written them.
std::vector<DefaultObject> DefaultClusterRoles();
std::vector<DefaultObject> DefaultClusterRoleBindings();
/// Those of kube-system and kube-public.
std::vector<DefaultObject> DefaultRoles();
std::vector<DefaultObject> DefaultRoleBindings();
/// The ConfigMap in kube-system by which servers behind this one learn which certificates it
/// authenticates clients with.
DefaultObject AuthenticationConfigMap(std::string_view client_ca_pem);
/// The ConfigMap in kube-system that says since when the uses of tokens in Secrets are tracked.
DefaultObject TokenTrackingConfigMap(Instant now);
/// The ClusterRole and ClusterRoleBinding `plimsoll:controller-manager`, which give the user
/// system:kube-controller-manager the union of the roles of all controllers in that process.
/// Upstream's process takes on a service account for each of its controllers instead.
std::vector<DefaultObject> ControllerManagerRights();
/// The service `kubernetes`, by which pods find the server that listens on the port.
DefaultObject KubernetesService(std::string_view cluster_ip, std::uint16_t port);

/// The rules of a default role, which there must be: system:node for the node authorizer.
PolicyRules DefaultRulesOf(std::string_view role);

/// The facts: roles with their rules, and bindings, in a shorter form than the objects'.
std::string_view ClusterRolesJson();

}  // namespace plimsoll::apiserver
