#include "cli/connect.h"

namespace plimsoll::cli {
namespace {

constexpr std::string_view kNoServer =
    "no server to talk to: name its kubeconfig with --kubeconfig or $KUBECONFIG";

}  // namespace

Result<service::ServerAccess> AccessForUser(const std::string& kubeconfig) {
  return service::FindServerAccess(kubeconfig, kNoServer);
}

Result<std::unique_ptr<client::Client>> ConnectForUser(const service::ServerAccess& user,
                                                       Clock& clock) {
  client::ClientOptions options;
  options.user_agent = "plimsoll";
  return client::Connect(user.access, clock, options);
}

Result<std::unique_ptr<client::Client>> ConnectForUser(const std::string& kubeconfig,
                                                       Clock& clock) {
  return ConnectForUser(PL_TRY(AccessForUser(kubeconfig)), clock);
}

Error Unreachable(const service::ServerAccess& user, std::string_view why) {
  return {Reason::ServiceUnavailable,
          {},
          "the server does not answer: " + std::string(why) + "\nAsked was " + user.access.server +
              " of " + user.kubeconfig +
              ". Is it running? `plimsoll up` starts one; --kubeconfig names another."};
}

}  // namespace plimsoll::cli
