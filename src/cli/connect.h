#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "client/client.h"
#include "client/kubeconfig.h"

namespace plimsoll::cli {

/// A client of the server that the kubeconfig's current context names. `missing` says what to do
/// when no kubeconfig is given (Invalid).
Result<std::unique_ptr<client::Client>> ConnectBy(const std::string& kubeconfig,
                                                  std::string_view user_agent,
                                                  std::string_view missing, Clock& clock);

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
