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

/// A client of the server that the kubeconfig's current context names; an empty text stands for the
/// files that kubectl would read (see AccessForUser). `missing` says what to do when there is no
/// kubeconfig (Invalid).
Result<std::unique_ptr<client::Client>> ConnectBy(const std::string& kubeconfig,
                                                  client::ClientOptions options,
                                                  std::string_view missing, Clock& clock);

/// Of a part of the control plane.
struct Clients {
  std::unique_ptr<client::Client> work;
  std::unique_ptr<client::Client> election;  // null: there is none
};

/// Two connections: what a leader has to do must not keep it from renewing its lease. The
/// leadership, where there is one, must outlive them.
Result<Clients> ConnectForWork(const std::string& kubeconfig,
                               const std::optional<Leadership>& leadership,
                               std::string_view user_agent, std::string_view missing, Clock& clock);

/// The server that a person at a terminal means, and who found it there.
struct UserAccess {
  client::ClusterAccess access;
  std::string kubeconfig;  // where it stands
};

/// As kubectl finds it: the kubeconfig of the flag, the files of $KUBECONFIG joined, or
/// ~/.kube/config, the first that there is.
Result<UserAccess> AccessForUser(const std::string& kubeconfig);

/// A client for commands of a person at a terminal.
Result<std::unique_ptr<client::Client>> ConnectForUser(const UserAccess& user, Clock& clock);
Result<std::unique_ptr<client::Client>> ConnectForUser(const std::string& kubeconfig, Clock& clock);

/// Why a server did not answer, and what to look at: for refusals that no server wrote.
Error Unreachable(const UserAccess& user, std::string_view why);

}  // namespace plimsoll::cli
