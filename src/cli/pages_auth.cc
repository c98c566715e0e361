#include "cli/pages_auth.h"

#include <utility>

#include "base/file.h"
#include "cli/connect.h"

namespace plimsoll::cli {
namespace {

/// Returns a client without leader fence, because replicas that do not lead serve pages too.
Result<std::unique_ptr<client::Client>> ConnectForReviews(const std::string& kubeconfig,
                                                          const std::string& own, Clock& clock) {
  return ConnectBy(kubeconfig.empty() ? own : kubeconfig, {.user_agent = "plimsoll-pages"},
                   "no server to review the readers of --secure-port: name its kubeconfig with "
                   "--authentication-kubeconfig and --authorization-kubeconfig",
                   clock);
}

}  // namespace

Result<std::unique_ptr<PagesAuth>> PagesAuth::Make(const PagesFlags& flags,
                                                   const std::string& kubeconfig, Clock& clock) {
  auto authentication =
      PL_TRY(ConnectForReviews(flags.authentication_kubeconfig, kubeconfig, clock));
  auto authorization = PL_TRY(ConnectForReviews(flags.authorization_kubeconfig, kubeconfig, clock));
  std::string client_ca;
  if (!flags.client_ca_file.empty()) client_ca = PL_TRY(ReadFile(flags.client_ca_file));
  return std::unique_ptr<PagesAuth>(new PagesAuth(std::move(authentication),
                                                  std::move(authorization), std::move(client_ca),
                                                  flags.always_allow_paths, clock));
}

}  // namespace plimsoll::cli
