#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "api/status/status.h"
#include "store/store.h"

namespace plimsoll::apiserver {

/// Position at which a paginated list continues. Opaque to clients.
struct ContinueToken {
  /// Revision of the first page. kNoRevision: the current state, for a list that took too long to
  /// stay consistent.
  store::Revision revision{};
  std::string after;  // last key sent, without the resource's prefix: default/web

  std::string Encode() const;
  /// Fails with BadRequest and upstream's texts.
  static api::Answer<ContinueToken> Decode(std::string_view text);
};

}  // namespace plimsoll::apiserver
