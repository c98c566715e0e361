#include "api/core/image_volume.h"

#include "codec/value.h"
#include "codec/value_at.h"

namespace plimsoll::api {

std::string_view ImageOf(const Volume& volume) {
  return TextAt(*volume.source, "image", "reference");
}

}  // namespace plimsoll::api
