#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/status/status.h"
#include "apiserver/cache/cache.h"
#include "apiserver/request/api_request.h"

namespace plimsoll::apiserver {

/// How old an answer may be, as resourceVersion and resourceVersionMatch say it.
struct Freshness {
  enum class Kind : std::uint8_t {
    MostRecent,    // nothing that was acknowledged before may be missing
    AnyCached,     // "0"
    NotOlderThan,  // `revision`, or after it
    Exact,         // `revision`
  };
  Kind kind = Kind::MostRecent;
  store::Revision revision{};
};

/// The parameters of a list or a watch.
struct ListOptions {
  Selection selection;  // fields by their names in the stored kind
  Freshness freshness;
  std::int64_t limit = 0;  // 0: none
  std::string continue_token;
  bool allow_bookmarks = false;
  std::optional<bool> send_initial_events;
  std::optional<std::int64_t> timeout_seconds;
};

/// BadRequest for what cannot be read, Invalid (of `ListOptions`) for what does not go together.
api::Answer<ListOptions> ReadListOptions(const ApiRequest& request, bool is_watch);

/// Reads the resourceVersion of a get or a watch. A text that is no number is upstream's 500
/// without a reason; a list, which upstream checks first, makes a 400 of it.
api::Answer<Freshness> ReadFreshness(std::string_view resource_version);

/// The namespace that the request's path names, for resources that have some.
std::string_view NamespaceOf(const ApiRequest& request);

}  // namespace plimsoll::apiserver
