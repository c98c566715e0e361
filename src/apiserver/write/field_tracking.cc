#include "apiserver/write/field_tracking.h"

#include "apiserver/strategy/place.h"

namespace plimsoll::apiserver {

void TrackFields(const WriteTarget& target, const Draft& draft, const api::Object* before,
                 Instant /*now*/) {
  if (before == nullptr) return;
  const Place metadata = Place(*draft, *target.resource->kind).Child("metadata");
  metadata.CopyFrom(before->tree().Find("metadata"), "managedFields");
}

}  // namespace plimsoll::apiserver
