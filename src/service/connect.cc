#include "service/connect.h"

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

namespace plimsoll::service {
namespace {

std::string EnvironmentVariable(const char* variable) {
  const char* const value = std::getenv(variable);
  return value == nullptr ? std::string() : std::string(value);
}

std::vector<std::string> SplitPaths(std::string_view joined) {
  std::vector<std::string> paths;
  while (!joined.empty()) {
    const std::size_t end = std::min(joined.find(':'), joined.size());
    if (end > 0) paths.emplace_back(joined.substr(0, end));
    joined.remove_prefix(std::min(end + 1, joined.size()));
  }
  return paths;
}

/// Merges the files. Missing ones are skipped, as long as at least one exists.
Result<client::Kubeconfig> ReadMerged(const std::vector<std::string>& paths) {
  client::Kubeconfig joined;
  bool has_one = false;
  for (const std::string& path : paths) {
    Result<client::Kubeconfig> config = client::ReadKubeconfig(path);
    const bool is_missing = !config && config.error().reason == Reason::NotFound;
    if (is_missing && (has_one || &path != &paths.back())) continue;
    joined.Merge(PL_TRY(std::move(config)));
    has_one = true;
  }
  return joined;
}

}  // namespace

Result<FoundKubeconfig> FindKubeconfig(const std::string& kubeconfig, std::string_view missing) {
  std::string where = kubeconfig;
  std::vector<std::string> paths;
  if (!where.empty()) {
    paths.push_back(where);
  } else if (where = EnvironmentVariable("KUBECONFIG"); !where.empty()) {
    paths = SplitPaths(where);
  } else if (const std::string home = EnvironmentVariable("HOME"); !home.empty()) {
    where = home + "/.kube/config";
    paths.push_back(where);
  }
  if (paths.empty()) return Fail(Reason::Invalid, std::string(missing));
  Result<client::Kubeconfig> config = ReadMerged(paths);
  if (!config && config.error().reason == Reason::NotFound) {
    return Fail(Reason::Invalid, std::string(missing) + " (" + config.error().message + ")");
  }
  if (!config) return std::unexpected(config.error());
  return FoundKubeconfig{*std::move(config), std::move(where)};
}

Result<ServerAccess> FindServerAccess(const std::string& kubeconfig, std::string_view missing,
                                      std::string_view context) {
  FoundKubeconfig found = PL_TRY(FindKubeconfig(kubeconfig, missing));
  return ServerAccess{PL_TRY(client::Resolve(found.config, context)), std::move(found.path)};
}

Result<std::unique_ptr<client::Client>> Connect(const std::string& kubeconfig,
                                                client::ClientOptions options,
                                                std::string_view missing, Clock& clock,
                                                const client::RestClientMetrics* metrics) {
  const ServerAccess user = PL_TRY(FindServerAccess(kubeconfig, missing));
  return client::Connect(user.access, clock, std::move(options), metrics);
}

Result<ComponentClients> ConnectComponent(const std::string& kubeconfig,
                                          const std::optional<Leadership>& leadership,
                                          std::string_view user_agent, std::string_view missing,
                                          Clock& clock, const client::RestClientMetrics& metrics) {
  if (!leadership) {
    return ComponentClients{PL_TRY(Connect(kubeconfig, {.user_agent = std::string(user_agent)},
                                           missing, clock, &metrics)),
                            nullptr};
  }
  return ComponentClients{
      PL_TRY(Connect(kubeconfig, leadership->ForWork(user_agent), missing, clock, &metrics)),
      PL_TRY(Connect(kubeconfig, leadership->ForElection(user_agent), missing, clock, &metrics))};
}

}  // namespace plimsoll::service
