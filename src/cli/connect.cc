#include "cli/connect.h"

#include <cstdlib>

#include "client/kubeconfig.h"

namespace plimsoll::cli {

Result<std::unique_ptr<client::Client>> ConnectBy(const std::string& kubeconfig,
                                                  std::string_view user_agent,
                                                  std::string_view missing, Clock& clock) {
  if (kubeconfig.empty()) return Fail(Reason::Invalid, std::string(missing));
  const client::Kubeconfig config = PL_TRY(client::ReadKubeconfig(kubeconfig));
  const client::ClusterAccess access = PL_TRY(client::Resolve(config));
  client::ClientOptions options;
  options.user_agent = user_agent;
  return client::Connect(access, clock, options);
}

Result<std::unique_ptr<client::Client>> ConnectForUser(const std::string& kubeconfig,
                                                       Clock& clock) {
  std::string path = kubeconfig;
  if (const char* const named = std::getenv("KUBECONFIG"); path.empty() && named != nullptr) {
    path = named;
  }
  if (const char* const home = std::getenv("HOME"); path.empty() && home != nullptr) {
    path = std::string(home) + "/.kube/config";
  }
  return ConnectBy(path, "plimsoll",
                   "no server to talk to: name its kubeconfig with --kubeconfig or $KUBECONFIG",
                   clock);
}

}  // namespace plimsoll::cli
