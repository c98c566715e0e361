#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "api/core/taint.h"

namespace plimsoll::api {

namespace device_effect {
inline constexpr std::string_view kNone = "None";
inline constexpr std::string_view kNoSchedule = "NoSchedule";
inline constexpr std::string_view kNoExecute = "NoExecute";
}  // namespace device_effect

/// A taint of a device: a node taint with additional fields. Effects are None, NoSchedule and
/// NoExecute; any other reads as None. Requests tolerate it with an api::Toleration.
struct DeviceTaint : Taint {
  static constexpr std::int64_t kEvictionsPerSecondDefault = 10;

  std::string_view description;
  std::optional<std::int64_t> evictions_per_second;

  std::int64_t EvictionRate() const {
    return evictions_per_second.value_or(kEvictionsPerSecondDefault);
  }

  friend bool operator==(const DeviceTaint&, const DeviceTaint&) = default;
};

}  // namespace plimsoll::api
