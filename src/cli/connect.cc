#include "cli/connect.h"

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

namespace plimsoll::cli {
namespace {

constexpr std::string_view kNoServer =
    "no server to talk to: name its kubeconfig with --kubeconfig or $KUBECONFIG";

std::string TextOf(const char* variable) {
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
Result<client::Kubeconfig> ReadJoined(const std::vector<std::string>& paths) {
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

/// `missing` is the advice to show if there is no kubeconfig.
Result<UserAccess> FindAccess(const std::string& kubeconfig, std::string_view missing) {
  std::string where = kubeconfig;
  std::vector<std::string> paths;
  if (!where.empty()) {
    paths.push_back(where);
  } else if (where = TextOf("KUBECONFIG"); !where.empty()) {
    paths = SplitPaths(where);
  } else if (const std::string home = TextOf("HOME"); !home.empty()) {
    where = home + "/.kube/config";
    paths.push_back(where);
  }
  if (paths.empty()) return Fail(Reason::Invalid, std::string(missing));
  const Result<client::Kubeconfig> config = ReadJoined(paths);
  if (!config && config.error().reason == Reason::NotFound) {
    return Fail(Reason::Invalid, std::string(missing) + " (" + config.error().message + ")");
  }
  if (!config) return std::unexpected(config.error());
  return UserAccess{PL_TRY(client::Resolve(*config)), std::move(where)};
}

}  // namespace

Result<std::unique_ptr<client::Client>> ConnectBy(const std::string& kubeconfig,
                                                  client::ClientOptions options,
                                                  std::string_view missing, Clock& clock) {
  const UserAccess user = PL_TRY(FindAccess(kubeconfig, missing));
  return client::Connect(user.access, clock, std::move(options));
}

Result<Clients> ConnectForWork(const std::string& kubeconfig,
                               const std::optional<Leadership>& leadership,
                               std::string_view user_agent, std::string_view missing,
                               Clock& clock) {
  if (!leadership) {
    return Clients{
        PL_TRY(ConnectBy(kubeconfig, {.user_agent = std::string(user_agent)}, missing, clock)),
        nullptr};
  }
  return Clients{
      PL_TRY(ConnectBy(kubeconfig, leadership->ForWork(user_agent), missing, clock)),
      PL_TRY(ConnectBy(kubeconfig, leadership->ForElection(user_agent), missing, clock))};
}

Result<UserAccess> AccessForUser(const std::string& kubeconfig) {
  return FindAccess(kubeconfig, kNoServer);
}

Result<std::unique_ptr<client::Client>> ConnectForUser(const UserAccess& user, Clock& clock) {
  client::ClientOptions options;
  options.user_agent = "plimsoll";
  return client::Connect(user.access, clock, options);
}

Result<std::unique_ptr<client::Client>> ConnectForUser(const std::string& kubeconfig,
                                                       Clock& clock) {
  return ConnectForUser(PL_TRY(AccessForUser(kubeconfig)), clock);
}

Error Unreachable(const UserAccess& user, std::string_view why) {
  return {Reason::ServiceUnavailable,
          {},
          "the server does not answer: " + std::string(why) + "\nAsked was " + user.access.server +
              " of " + user.kubeconfig +
              ". Is it running? `plimsoll up` starts one; --kubeconfig names another."};
}

}  // namespace plimsoll::cli
