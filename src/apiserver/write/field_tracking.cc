#include "apiserver/write/field_tracking.h"

#include "api/apply/apply.h"

namespace plimsoll::apiserver {

api::FieldWriter FieldWriterOf(const WriteTarget& target, const WriteParts& parts) {
  return {
      .manager = target.field_manager,
      .kind = target.resource->kind,
      .subresource = target.subresource,
      .now = parts.clock.Now(),
      .owns_single_taints = parts.validation.gates.Enabled(api::Feature::PlimsollTaintOwnership)};
}

void TrackFields(const WriteTarget& target, const Draft& draft, const api::Object* before,
                 const WriteParts& parts) {
  api::UpdateManagedFields(*draft, draft->root(), before == nullptr ? nullptr : &before->tree(),
                           FieldWriterOf(target, parts));
}

}  // namespace plimsoll::apiserver
