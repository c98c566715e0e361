#include "api/core/image_volume.h"

#include "codec/value.h"

namespace plimsoll::api {

std::string_view ImageOf(const Volume& volume) {
  const codec::Value* const image = volume.source->Find("image");
  const codec::Value* const reference = image != nullptr ? image->Find("reference") : nullptr;
  return reference != nullptr && reference->is_string() ? reference->text() : std::string_view();
}

}  // namespace plimsoll::api
