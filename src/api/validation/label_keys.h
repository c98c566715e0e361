#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "api/core/pod.h"
#include "api/field_error.h"

namespace plimsoll::api {

/// Validates `matchLabelKeys` and `mismatchLabelKeys` after they were merged into the selector, as
/// they are when a pod is stored. A key that is twice in the selector was also written there by the
/// user. `at` is the path of the object that holds them.
void ValidateLabelKeys(const std::vector<std::string_view>& match_keys,
                       const std::vector<std::string_view>& mismatch_keys,
                       const std::optional<LabelSelector>& selector, const FieldPath& at,
                       FieldErrors& errors);

}  // namespace plimsoll::api
