#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "client/client.h"
#include "service/connect.h"

/// Connections of interactive commands.
namespace plimsoll::cli {

/// Finds the server that a user addresses, by the flags --kubeconfig and --context or like kubectl.
Result<service::ServerAccess> AccessForUser(const std::string& kubeconfig,
                                            const std::string& context = {});

/// Returns a client for interactive commands.
Result<std::unique_ptr<client::Client>> ConnectForUser(const service::ServerAccess& user,
                                                       Clock& clock);
Result<std::unique_ptr<client::Client>> ConnectForUser(const std::string& kubeconfig,
                                                       const std::string& context, Clock& clock);

/// Returns an error that explains why the server did not respond, and what to check.
Error Unreachable(const service::ServerAccess& user, std::string_view why);

}  // namespace plimsoll::cli
