#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/slice_tracker.h"
#include "match/diagnosis.h"

/// Diagnosis of why a node's devices do not satisfy claims, for events, commands and the dashboard.
/// It is computed only on demand. Pointers and views are valid as long as the claims live, and
/// until the tracker's next change.
namespace plimsoll::dra {

/// Reason to reject a device: the first in the order of the allocator's checks.
enum class DeviceFault : std::uint8_t {
  None,            // usable by itself: other requests need it, too, or too many are requested
  PoolIncomplete,  // its pool is being updated
  PoolInvalid,     // its pool is inconsistent
  InUse,
  NotSelected,  // by the class or the request
  OtherNode,    // the device's own node selection excludes the node
  Capacity,     // too little, or too little left
  Counters,     // too little left of a shared counter
  Tainted,
  Constraint,  // it lacks the attribute of a constraint
};
std::string_view ToText(DeviceFault fault);

/// A taint that is not tolerated, and the toleration that came closest.
struct TaintRefusal {
  const DeviceTaintSource* source = nullptr;
  std::optional<match::TolerationAttempt> nearest;
};

struct DeviceRefusal {
  const TrackedDevice* device = nullptr;
  DeviceFault fault = DeviceFault::None;
  /// With Tainted: all taints that are not tolerated. Taints of rules come first, because an
  /// administrator has set them on purpose.
  std::vector<TaintRefusal> taints;
  std::string detail;  // selector, capacity, counter or attribute; or the error text
};

struct RequestDiagnosis {
  std::string claim;                   // name
  std::string request;                 // `request`, or `request/sub`
  std::int64_t wanted = 0;             // number of devices; 0: all
  std::size_t usable = 0;              // number of devices without a fault
  std::vector<DeviceRefusal> devices;  // all devices of the node, in the order of the search
};

struct Diagnosis {
  std::vector<RequestDiagnosis> requests;
};

}  // namespace plimsoll::dra
