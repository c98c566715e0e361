#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/leadership.h"
#include "client/client.h"
#include "client/kubeconfig.h"

namespace plimsoll::cli {

/// Connects to the server of the kubeconfig's current context. If `kubeconfig` is empty, uses the
/// files that kubectl would use (see AccessForUser). `missing` is the error text (Invalid) if there
/// is no kubeconfig.
Result<std::unique_ptr<client::Client>> ConnectBy(const std::string& kubeconfig,
                                                  client::ClientOptions options,
                                                  std::string_view missing, Clock& clock);

/// Clients of a control plane component.
struct Clients {
  std::unique_ptr<client::Client> work;
  std::unique_ptr<client::Client> election;  // null: no leader election
};

/// Opens two connections, so that a leader's work cannot delay the renewal of its lease. REQUIRES:
/// `leadership`, if set, outlives the clients.
Result<Clients> ConnectForWork(const std::string& kubeconfig,
                               const std::optional<Leadership>& leadership,
                               std::string_view user_agent, std::string_view missing, Clock& clock);

/// Server that a user addresses, and the kubeconfig that names it.
struct UserAccess {
  client::ClusterAccess access;
  std::string kubeconfig;  // path of the kubeconfig
};

/// Finds the kubeconfig like kubectl: the flag's file, else the merged files of $KUBECONFIG, else
/// ~/.kube/config.
Result<UserAccess> AccessForUser(const std::string& kubeconfig);

/// Returns a client for interactive commands.
Result<std::unique_ptr<client::Client>> ConnectForUser(const UserAccess& user, Clock& clock);
Result<std::unique_ptr<client::Client>> ConnectForUser(const std::string& kubeconfig, Clock& clock);

/// Returns an error that explains why the server did not respond, and what to check.
Error Unreachable(const UserAccess& user, std::string_view why);

}  // namespace plimsoll::cli
