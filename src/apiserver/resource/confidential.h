#pragma once

#include <string_view>

#include "api/schema/schema.h"

namespace plimsoll::apiserver {

/// Returns true if error messages and logs must not show parts of objects of this kind.
inline bool IsConfidential(const api::KindDesc& kind) {
  return (kind.group.empty() && kind.kind == "Secret") || kind.kind == "TokenRequest" ||
         kind.kind == "TokenReview";
}

/// Replaces a value that must not be shown, as upstream.
inline constexpr std::string_view kOmittedValue = "<value omitted>";

}  // namespace plimsoll::apiserver
