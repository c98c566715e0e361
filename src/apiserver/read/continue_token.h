#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "api/status/status.h"
#include "store/store.h"

namespace plimsoll::apiserver {

/// Where a list in pages goes on. Clients keep it without looking inside.
struct ContinueToken {
  /// The revision of the first page; kNoRevision: whatever is there by now, for a list that took
  /// too long to stay consistent.
  store::Revision revision{};
  std::string after;  // the last key that was sent, behind the resource's prefix: default/web

  std::string Encode() const;
  /// BadRequest with upstream's texts.
  static api::Answer<ContinueToken> Decode(std::string_view text);
};

}  // namespace plimsoll::apiserver
