#pragma once

#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "base/quantity.h"

/// Properties of a DRA device that expressions can read.
namespace plimsoll::cel {

struct VersionText {
  std::string_view text;
};

/// `monostate`: no value, or one of an unknown type.
using AttributeValue = std::variant<std::monostate, std::int64_t, bool, std::string_view,
                                    VersionText, std::vector<std::int64_t>, std::vector<bool>,
                                    std::vector<std::string_view>, std::vector<VersionText>>;

/// Names are `domain/id`, or only an id, which is in the driver's domain.
struct DeviceAttribute {
  std::string_view name;
  AttributeValue value;
};

struct DeviceCapacity {
  std::string_view name;
  Quantity value;
};

struct DeviceFacts {
  std::string_view driver;
  bool allow_multiple_allocations = false;
  std::vector<DeviceAttribute> attributes;
  std::vector<DeviceCapacity> capacity;
};

}  // namespace plimsoll::cel
