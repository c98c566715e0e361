#include "cli/connect.h"

namespace plimsoll::cli {
namespace {

constexpr std::string_view kNoServer =
    "no server to talk to: name its kubeconfig with --kubeconfig or $KUBECONFIG";

}  // namespace

Result<service::ServerAccess> AccessForUser(const std::string& kubeconfig,
                                            const std::string& context) {
  return service::FindServerAccess(kubeconfig, kNoServer, context);
}

Result<std::unique_ptr<client::Client>> ConnectForUser(const service::ServerAccess& user,
                                                       Clock& clock) {
  client::ClientOptions options;
  options.user_agent = "plimsoll";
  return client::Connect(user.access, clock, options);
}

Result<std::unique_ptr<client::Client>> ConnectForUser(const std::string& kubeconfig,
                                                       const std::string& context, Clock& clock) {
  return ConnectForUser(PL_TRY(AccessForUser(kubeconfig, context)), clock);
}

Error Unreachable(const service::ServerAccess& user, std::string_view why) {
  return {Reason::ServiceUnavailable,
          {},
          "the server does not answer: " + std::string(why) + "\nThe request went to " +
              user.access.server + " of " + user.kubeconfig +
              ". Is it running? `plimsoll up` starts one; --kubeconfig and --context choose "
              "another."};
}

}  // namespace plimsoll::cli
