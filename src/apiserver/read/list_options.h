#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/status/status.h"
#include "apiserver/cache/cache.h"
#include "apiserver/request/api_request.h"

namespace plimsoll::apiserver {

/// Freshness that resourceVersion and resourceVersionMatch require.
struct Freshness {
  enum class Kind : std::uint8_t {
    MostRecent,    // includes every write acknowledged before
    AnyCached,     // "0"
    NotOlderThan,  // `revision`, or after it
    Exact,         // `revision`
  };
  Kind kind = Kind::MostRecent;
  store::Revision revision{};
};

/// Parameters of a list or watch.
struct ListOptions {
  Selection selection;  // field labels are those of the stored kind
  Freshness freshness;
  std::int64_t limit = 0;  // 0: no limit
  std::string continue_token;
  bool allow_bookmarks = false;
  std::optional<bool> send_initial_events;
  std::optional<std::int64_t> timeout_seconds;
};

/// Fails with BadRequest for malformed values, Invalid (`ListOptions`) for invalid combinations.
api::Answer<ListOptions> ReadListOptions(const ApiRequest& request, bool is_watch);

/// Parses the resourceVersion of a get or watch. Fails with upstream's 500 without a reason if it
/// is no number. A list turns this into a 400, as upstream.
api::Answer<Freshness> ReadFreshness(std::string_view resource_version);

/// Returns the namespace in the path, or "" if the resource is not namespaced.
std::string_view NamespaceOf(const ApiRequest& request);

}  // namespace plimsoll::apiserver
