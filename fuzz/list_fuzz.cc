// Sends a list request with an arbitrary query (limit, continue, selectors, resourceVersionMatch …)
// to an API server. The answer must be JSON, and a 5xx only where upstream answers one. The same
// bytes are decoded as a continue token, which must be the same after it was encoded and decoded
// again.
//
// Input: a byte that chooses the resource, then the query.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "apiserver/read/continue_token.h"
#include "apiserver/server/instance_for_test.h"
#include "base/assert.h"
#include "codec/json.h"
#include "cost_bound.h"
#include "mutation/upstream_errors.h"

namespace {

using plimsoll::apiserver::ContinueToken;
using plimsoll::apiserver::LocalServer;

void CheckToken(std::string_view text) {
  const auto token = ContinueToken::Decode(text);
  if (!token) return;
  const auto again = ContinueToken::Decode(token->Encode());
  PL_ASSERT(again.has_value());
  PL_ASSERT(again->revision == token->revision && again->after == token->after);
}

/// Returns true for a request that would block: a watch, or a list of a revision in the future.
bool Waits(const plimsoll::net::Target& target) {
  const std::string_view version = target.Query("resourceVersion");
  return target.HasQuery("watch") || target.HasQuery("sendInitialEvents") ||
         version.find_first_of("123456789") != std::string_view::npos;
}

std::string PathOf(const plimsoll::apiserver::Resource& resource) {
  const std::string group(resource.group());
  const std::string version(resource.kind->version);
  return (group.empty() ? "/api/" + version : "/apis/" + group + "/" + version) + "/" +
         std::string(resource.name());
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  static auto& server = *new LocalServer;
  const std::string_view text(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  CheckToken(text);
  const auto all = server.instance().resources().all();
  const auto& resource = all[bytes[0] % all.size()];
  if (!resource.is_stored()) return 0;
  const std::string path = PathOf(resource) + "?" + std::string(text);
  const auto target = plimsoll::net::ParseTarget(path);
  if (!target || Waits(*target)) return 0;
  const plimsoll::fuzz::CostBound bound(size, {.bytes_min = 16u << 20});
  const auto response = server.Send("GET", path);
  PL_ASSERT(response.status >= 200 && response.status < 600);
  PL_ASSERT(response.status < 500 || plimsoll::mutation::IsUpstreams500(response.body));
  PL_ASSERT(plimsoll::codec::ParseJson(response.body, {.bytes_max = 64u << 20}).has_value());
  return 0;
}
