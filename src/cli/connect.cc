#include "cli/connect.h"

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

}  // namespace plimsoll::cli
