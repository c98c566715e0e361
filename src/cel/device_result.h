#pragma once

#include <expected>
#include <string>

#include "cel/device.h"

/// Result types of expressions over devices: selectors return a match,
/// others a derived attribute.
namespace plimsoll::cel {

/// Returns why a selector cannot have this result type; empty if it can. Allowed are bool, and the
/// type of attributes, which is known only at run time.
std::string CheckSelectorType(const Type* type, DeviceMode mode);
/// Same as CheckSelectorType, for a derived attribute.
std::string RefuseAttributeType(const Type* type, DeviceMode mode);

/// Returns true if the device matches. The error is upstream's.
std::expected<bool, std::string> MatchOf(const Value& result);
/// Returns why a result cannot be an attribute; empty if it can. Allowed are bool, int, string and
/// Semver, and lists of these.
std::string RefuseAttribute(const Value& result);

}  // namespace plimsoll::cel
