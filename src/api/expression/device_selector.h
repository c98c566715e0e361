#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "api/validation/context.h"
#include "cel/kubernetes.h"

namespace plimsoll::api {

inline constexpr std::size_t kDeviceSelectorBytesMax = 10 * 1024;

/// What is wrong with a CEL selector of devices: nothing when it compiles to a boolean, or to what
/// only the device decides about, and cannot cost more than cel::kCostLimit. Messages are
/// upstream's.
/// Adds its estimated cost to `cost` unless that is null.
std::optional<ExpressionFault> CheckDeviceSelector(std::string_view expression,
                                                   cel::DeviceMode mode,
                                                   std::uint64_t* cost = nullptr);

}  // namespace plimsoll::api
