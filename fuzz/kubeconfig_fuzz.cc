// Parses a kubeconfig file and resolves its contexts. A context must lead to a server or to an
// error that names the field at fault. Files that a kubeconfig names are not read here.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "client/kubeconfig.h"
#include "cost_bound.h"

namespace {

using plimsoll::client::Kubeconfig;

/// Returns true when the kubeconfig names other files, which are no part of the input.
bool NamesFiles(const Kubeconfig& config) {
  return std::ranges::any_of(
             config.clusters,
             [](const auto& cluster) { return !cluster.certificate_authority.path.empty(); }) ||
         std::ranges::any_of(config.users, [](const auto& user) {
           return !user.client_certificate.path.empty() || !user.client_key.path.empty() ||
                  !user.token_file.empty();
         });
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const plimsoll::fuzz::CostBound bound(size);
  auto config = plimsoll::client::ParseKubeconfig(text, "/nowhere");
  if (!config) {
    PL_ASSERT(!config.error().message.empty());
    return 0;
  }
  const std::size_t contexts = config->contexts.size();
  config->Merge(*config);
  PL_ASSERT(config->contexts.size() == contexts);
  if (NamesFiles(*config)) return 0;
  const auto resolve = [&](std::string_view name) {
    const auto access = plimsoll::client::Resolve(*config, name);
    if (!access) PL_ASSERT(!access.error().message.empty());
  };
  resolve({});
  // Not all contexts: each search is linear, which would make this quadratic.
  for (std::size_t i = 0; i < std::min<std::size_t>(contexts, 4); ++i) {
    resolve(config->contexts[i].name);
  }
  return 0;
}
