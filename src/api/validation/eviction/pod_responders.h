#pragma once

#include <cstddef>
#include <cstdint>

#include "api/core/pod.h"
#include "api/field_error.h"

namespace plimsoll::api {

inline constexpr std::size_t kEvictionRespondersMax = 10;
inline constexpr std::int64_t kResponderPriorityMax = 100'000;

/// Validates `evictionResponders` of a pod or of a template.
void ValidateEvictionResponders(const PodSpec& spec, const FieldPath& at, FieldErrors& errors);

}  // namespace plimsoll::api
