#pragma once

#include <string_view>

namespace plimsoll::api::defaults {

/// Returns true if a well-formed image name has the tag `latest`, or neither a tag nor a digest.
/// Returns false for a malformed name, as upstream does.
bool IsLatestImage(std::string_view image);

}  // namespace plimsoll::api::defaults
