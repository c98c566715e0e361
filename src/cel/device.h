#pragma once

#include <expected>
#include <string>

#include "cel/arena.h"
#include "cel/device_facts.h"
#include "cel/kubernetes.h"
#include "cel/value.h"

/// How a device of dynamic resource allocation looks to an expression.
namespace plimsoll::cel {

/// The value of the variable `device`, in the arena; texts stay where they are. A domain that the
/// device does not have reads as an empty map. The error is upstream's for an attribute without a
/// value, or with a version that is none: then no expression can be evaluated over the device.
std::expected<Value, std::string> BindDevice(const DeviceFacts& facts, DeviceMode mode,
                                             Arena& arena);

}  // namespace plimsoll::cel
