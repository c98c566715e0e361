#include "service/secure_serving.h"

#include <utility>

#include "base/file.h"
#include "service/connect.h"

namespace plimsoll::service {
namespace {

/// Returns a client without leader fence, because replicas that do not lead serve pages too.
Result<std::unique_ptr<client::Client>> ConnectForReviews(const std::string& kubeconfig,
                                                          const std::string& own, Clock& clock) {
  return Connect(kubeconfig.empty() ? own : kubeconfig, {.user_agent = "plimsoll-pages"},
                 "no server to review the readers of --secure-port: name its kubeconfig with "
                 "--authentication-kubeconfig and --authorization-kubeconfig",
                 clock);
}

}  // namespace

Result<std::unique_ptr<SecureServingAuth>> SecureServingAuth::Make(
    const SecureServingOptions& options, const std::string& kubeconfig, Clock& clock) {
  auto authentication =
      PL_TRY(ConnectForReviews(options.authentication_kubeconfig, kubeconfig, clock));
  auto authorization =
      PL_TRY(ConnectForReviews(options.authorization_kubeconfig, kubeconfig, clock));
  std::string client_ca;
  if (!options.client_ca_file.empty()) client_ca = PL_TRY(ReadFile(options.client_ca_file));
  return std::unique_ptr<SecureServingAuth>(
      new SecureServingAuth(std::move(authentication), std::move(authorization),
                            std::move(client_ca), options.always_allow_paths, clock));
}

}  // namespace plimsoll::service
