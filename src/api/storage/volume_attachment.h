#pragma once

#include <string_view>

#include "api/meta/object_meta.h"

namespace plimsoll::api {

struct VolumeAttachment {
  ObjectMeta metadata;
  std::string_view attacher;
  std::string_view node_name;
  std::string_view persistent_volume_name;  // empty: an inline volume
};

}  // namespace plimsoll::api
