#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "api/validation/context.h"
#include "cel/kubernetes.h"

namespace plimsoll::api {

inline constexpr std::size_t kDeviceSelectorBytesMax = 10 * 1024;

/// Checks a CEL device selector. Returns nothing if it compiles
/// to bool or dyn and its estimated cost is at most
/// cel::kCostLimit. Messages are upstream's. Adds the estimated
/// cost to `cost` unless that is null.
std::optional<ExpressionFault> CheckDeviceSelector(std::string_view expression,
                                                   cel::DeviceMode mode,
                                                   std::uint64_t* cost = nullptr);

}  // namespace plimsoll::api
