#include "apiserver/cache/decode_stored.h"

#include <fmt/format.h>

namespace plimsoll::apiserver {

api::Answer<std::shared_ptr<const api::Object>> DecodeStored(const StoredObject& object) {
  std::shared_ptr<const api::Object> decoded = object.Decode();
  if (decoded == nullptr) {
    return std::unexpected(api::InternalError(fmt::format(
        "what is stored of {}/{} is no object", object.resource().name(), object.name())));
  }
  return decoded;
}

}  // namespace plimsoll::apiserver
