#pragma once

#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "base/quantity.h"

/// What expressions over a device of dynamic resource allocation are told of it.
namespace plimsoll::cel {

struct VersionText {
  std::string_view text;
};

/// `monostate`: the attribute has no value that this engine knows.
using AttributeValue = std::variant<std::monostate, std::int64_t, bool, std::string_view,
                                    VersionText, std::vector<std::int64_t>, std::vector<bool>,
                                    std::vector<std::string_view>, std::vector<VersionText>>;

/// Names are `domain/id`, or an id alone, which is in the driver's own domain.
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
