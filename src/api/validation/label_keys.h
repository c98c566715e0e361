#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "api/core/pod.h"
#include "api/field_error.h"

namespace plimsoll::api {

/// The `matchLabelKeys` and `mismatchLabelKeys` beside a selector into which they have been merged,
/// as they are when a pod is stored: a key that stands there twice was asked for by the user as
/// well. `at` is the object that holds them.
void ValidateLabelKeys(const std::vector<std::string_view>& match_keys,
                       const std::vector<std::string_view>& mismatch_keys,
                       const std::optional<LabelSelector>& selector, const FieldPath& at,
                       FieldErrors& errors);

}  // namespace plimsoll::api
