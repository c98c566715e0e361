#pragma once

#include <cstdint>

#include "base/time.h"

namespace plimsoll::scheduler {

/// Settings of dynamic resource allocation.
struct DeviceSettings {
  bool taints_enabled = true;  // gate DRADeviceTaints
  bool rules_enabled = true;   // gate DRADeviceTaintRules
  /// Gate ThresholdEvictionGrace, see match::TolerationTimeRules.
  bool threshold_grace = true;
  /// Time limit for drivers to set the binding conditions of allocated devices.
  Duration binding_timeout = std::chrono::seconds(600);
  std::uint64_t seed = 1;  // seed of share ids
};

}  // namespace plimsoll::scheduler
