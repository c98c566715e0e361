#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/slice_tracker.h"
#include "match/diagnosis.h"

/// Why the devices of a node do not satisfy claims, for events, commands and the dashboard. It is
/// computed only when someone will read it. Pointers and views are good as long as the claims and
/// until the tracker's next change.
namespace plimsoll::dra {

/// What speaks against a device, the first in the order in which the allocator looks.
enum class DeviceFault : std::uint8_t {
  None,  // by itself it would do: others of the claims want the same, or too many are asked
  PoolIncomplete,  // its pool is being updated
  PoolInvalid,     // its pool contradicts itself
  InUse,
  NotSelected,  // by the class or the request
  OtherNode,    // the device itself says which nodes can use it
  Capacity,     // too little, or too little left
  Counters,     // what it is a part of has too little left
  Tainted,
  Constraint,  // it lacks an attribute that a constraint is about
};
std::string_view ToText(DeviceFault fault);

/// A taint that is not tolerated, and the toleration that came nearest.
struct TaintRefusal {
  const DeviceTaintSource* source = nullptr;
  std::optional<match::TolerationAttempt> nearest;
};

struct DeviceRefusal {
  const TrackedDevice* device = nullptr;
  DeviceFault fault = DeviceFault::None;
  /// With Tainted: all taints that are not tolerated. Those of rules come first: an administrator
  /// has set them on purpose.
  std::vector<TaintRefusal> taints;
  std::string detail;  // the selector, capacity, counter or attribute; of an error its text
};

struct RequestDiagnosis {
  std::string claim;                   // its name
  std::string request;                 // `request`, or `request/sub`
  std::int64_t wanted = 0;             // devices; 0: all
  std::size_t usable = 0;              // how many have no fault
  std::vector<DeviceRefusal> devices;  // all of the node's, in the order in which they are tried
};

struct Diagnosis {
  std::vector<RequestDiagnosis> requests;
};

}  // namespace plimsoll::dra
