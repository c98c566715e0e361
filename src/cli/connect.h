#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "client/client.h"

namespace plimsoll::cli {

/// A client of the server that the kubeconfig's current context names. `missing` says what to do
/// when no kubeconfig is given (Invalid).
Result<std::unique_ptr<client::Client>> ConnectBy(const std::string& kubeconfig,
                                                  std::string_view user_agent,
                                                  std::string_view missing, Clock& clock);

/// For commands of a person at a terminal: the kubeconfig of the flag, of $KUBECONFIG, or
/// ~/.kube/config, the first that there is.
Result<std::unique_ptr<client::Client>> ConnectForUser(const std::string& kubeconfig, Clock& clock);

}  // namespace plimsoll::cli
