#include "apiserver/write/field_tracking.h"

#include "api/apply/apply.h"

namespace plimsoll::apiserver {

api::FieldWriter FieldWriterOf(const WriteTarget& target, Instant now) {
  return {.manager = target.field_manager,
          .kind = target.resource->kind,
          .subresource = target.subresource,
          .now = now};
}

void TrackFields(const WriteTarget& target, const Draft& draft, const api::Object* before,
                 Instant now) {
  api::UpdateManagedFields(*draft, draft->root(), before == nullptr ? nullptr : &before->tree(),
                           FieldWriterOf(target, now));
}

}  // namespace plimsoll::apiserver
