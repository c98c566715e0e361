#include "dra/device_diagnosis.h"

namespace plimsoll::dra {

std::string_view ToText(DeviceFault fault) {
  switch (fault) {
    case DeviceFault::None:
      return "None";
    case DeviceFault::PoolIncomplete:
      return "PoolIncomplete";
    case DeviceFault::PoolInvalid:
      return "PoolInvalid";
    case DeviceFault::InUse:
      return "InUse";
    case DeviceFault::NotSelected:
      return "NotSelected";
    case DeviceFault::OtherNode:
      return "OtherNode";
    case DeviceFault::Capacity:
      return "Capacity";
    case DeviceFault::Counters:
      return "Counters";
    case DeviceFault::Tainted:
      return "Tainted";
    case DeviceFault::Constraint:
      return "Constraint";
  }
  return {};
}

}  // namespace plimsoll::dra
