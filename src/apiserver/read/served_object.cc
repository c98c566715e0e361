#include "apiserver/read/served_object.h"

#include "apiserver/resource/conversion.h"
#include "apiserver/resource/stored_bytes.h"
#include "codec/json.h"

namespace plimsoll::apiserver {

ObjectPtr AsServed(const Resource& resource, const ObjectPtr& stored) {
  if (resource.kind == resource.stored) return stored;
  const auto parsed = codec::ParseJson(*stored->bytes(), {.bytes_max = stored->bytes()->size()});
  if (!parsed) return stored;
  codec::Document document;
  const codec::Value served = ToServed(resource, (*parsed)->root(), document);
  const auto made = StoredObject::Make(resource, EncodeForStore(served), stored->revision());
  return made ? *made : stored;
}

}  // namespace plimsoll::apiserver
