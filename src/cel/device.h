#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/quantity.h"
#include "cel/arena.h"
#include "cel/kubernetes.h"
#include "cel/value.h"

/// How a device of dynamic resource allocation looks to an expression.
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

/// The value of the variable `device`, in the arena; texts stay where they are. A domain that the
/// device does not have reads as an empty map. The error is upstream's for an attribute without a
/// value, or with a version that is none: then no expression can be evaluated over the device.
std::expected<Value, std::string> BindDevice(const DeviceFacts& facts, DeviceMode mode,
                                             Arena& arena);

}  // namespace plimsoll::cel
