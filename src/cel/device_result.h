#pragma once

#include <expected>
#include <string>

#include "cel/device.h"

/// What expressions over a device may answer: selectors whether it matches, others an attribute
/// derived from what the device has.
namespace plimsoll::cel {

/// Why a selector cannot have a result of this type; empty when it can: bool, or what attributes
/// are, as only the device decides about those.
std::string RefuseSelectorType(const Type* type, DeviceMode mode);
/// Likewise of a derived attribute.
std::string RefuseAttributeType(const Type* type, DeviceMode mode);

/// Whether the device matches. The error is upstream's.
std::expected<bool, std::string> MatchOf(const Value& result);
/// Why a result cannot be an attribute; empty when it can: a bool, int, string or Semver, or a list
/// of one of these.
std::string RefuseAttribute(const Value& result);

}  // namespace plimsoll::cel
