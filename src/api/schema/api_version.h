#pragma once

#include <string>
#include <string_view>

#include "api/schema/schema.h"

namespace plimsoll::api {

/// Returns the text of the field `apiVersion`: `v1` for the core group, which is empty, and
/// `apps/v1` for others.
inline std::string ApiVersionOf(std::string_view group, std::string_view version) {
  std::string text(group);
  if (!group.empty()) text += '/';
  return text.append(version);
}
inline std::string ApiVersionOf(const KindDesc& kind) {
  return ApiVersionOf(kind.group, kind.version);
}

}  // namespace plimsoll::api
