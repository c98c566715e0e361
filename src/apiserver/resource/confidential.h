#pragma once

#include <string_view>

#include "api/schema/schema.h"

namespace plimsoll::apiserver {

/// Returns whether error messages and logs must not show parts of objects of that kind.
inline bool IsConfidential(const api::KindDesc& kind) {
  return (kind.group.empty() && kind.kind == "Secret") || kind.kind == "TokenRequest" ||
         kind.kind == "TokenReview";
}

/// Stands in a message for a value that must not be shown, as upstream puts it.
inline constexpr std::string_view kOmittedValue = "<value omitted>";

}  // namespace plimsoll::apiserver
