#pragma once

#include <expected>
#include <string>

#include "cel/arena.h"
#include "cel/device_facts.h"
#include "cel/kubernetes.h"
#include "cel/value.h"

/// Representation of a DRA device in expressions.
namespace plimsoll::cel {

/// Creates the value of the variable `device` in the arena; texts are not copied. An unknown domain
/// reads as an empty map. Fails with upstream's text for an attribute without a value or with an
/// invalid version; then no expression can be evaluated for the device.
std::expected<Value, std::string> BindDevice(const DeviceFacts& facts, DeviceMode mode,
                                             Arena& arena);

}  // namespace plimsoll::cel
