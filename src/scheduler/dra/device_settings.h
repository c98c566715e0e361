#pragma once

#include <cstdint>

#include "base/time.h"

namespace plimsoll::scheduler {

/// How the scheduler deals with devices.
struct DeviceSettings {
  bool taints_enabled = true;  // gate DRADeviceTaints
  bool rules_enabled = true;   // gate DRADeviceTaintRules
  /// Gate ThresholdEvictionGrace, see match::StayRules.
  bool threshold_grace = true;
  /// How long drivers may take to say that an allocated device is ready.
  Duration binding_timeout = std::chrono::seconds(600);
  std::uint64_t seed = 1;  // of the ids of shares
};

}  // namespace plimsoll::scheduler
