#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "client/client.h"
#include "client/kubeconfig.h"
#include "client/rest_client_metrics.h"
#include "service/leadership.h"

namespace plimsoll::service {

/// An API server, and the kubeconfig that names it.
struct ServerAccess {
  client::ClusterAccess access;
  std::string kubeconfig;  // path of the kubeconfig
};

/// A kubeconfig, and where it was found.
struct FoundKubeconfig {
  client::Kubeconfig config;
  std::string path;  // one file, or several with colons between
};

/// Finds the kubeconfig like kubectl: the flag's file, else the merged files of $KUBECONFIG, else
/// ~/.kube/config. `missing` is the error text (Invalid) if there is none.
Result<FoundKubeconfig> FindKubeconfig(const std::string& kubeconfig, std::string_view missing);

/// Resolves a context of the kubeconfig that FindKubeconfig finds; empty: the current context.
Result<ServerAccess> FindServerAccess(const std::string& kubeconfig, std::string_view missing,
                                      std::string_view context = {});

/// Connects to the server of FindServerAccess. Counts the requests in `metrics`, unless it is null.
Result<std::unique_ptr<client::Client>> Connect(const std::string& kubeconfig,
                                                client::ClientOptions options,
                                                std::string_view missing, Clock& clock,
                                                const client::RestClientMetrics* metrics = nullptr);

/// Clients of a control plane component.
struct ComponentClients {
  std::unique_ptr<client::Client> work;
  std::unique_ptr<client::Client> election;  // null: no leader election
};

/// Opens two connections, so that a leader's work cannot delay the renewal of its lease. REQUIRES:
/// `leadership`, if set, outlives the clients.
Result<ComponentClients> ConnectComponent(const std::string& kubeconfig,
                                          const std::optional<Leadership>& leadership,
                                          std::string_view user_agent, std::string_view missing,
                                          Clock& clock, const client::RestClientMetrics& metrics);

}  // namespace plimsoll::service
