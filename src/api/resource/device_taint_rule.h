#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "api/meta/object_meta.h"
#include "api/resource/device_taint.h"

namespace plimsoll::codec {
class Value;
}

namespace plimsoll::api {

/// All fields that are set must match; an empty selector selects every device.
struct DeviceTaintSelector {
  std::optional<std::string_view> driver;
  std::optional<std::string_view> pool;
  std::optional<std::string_view> device;
  std::optional<std::string_view> device_class_name;
  std::vector<std::string_view> selectors;  // CEL expressions
};

struct DeviceTaintRule {
  ObjectMeta metadata;
  std::optional<DeviceTaintSelector> selector;  // unset: the rule selects nothing (D10)
  DeviceTaint taint;
  const codec::Value* conditions = nullptr;  // status.conditions; null when unset
};

}  // namespace plimsoll::api
