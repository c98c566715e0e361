#pragma once

#include <string_view>
#include <vector>

#include "api/meta/object_meta.h"
#include "api/resource/resource_claim.h"

namespace plimsoll::api {

struct DeviceClass {
  ObjectMeta metadata;
  std::vector<std::string_view> selectors;  // CEL expressions
  std::vector<DeviceConfig> config;
  std::string_view extended_resource_name;  // empty when unset
};

}  // namespace plimsoll::api
