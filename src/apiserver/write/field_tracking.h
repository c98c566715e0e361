#pragma once

#include "api/apply/apply.h"
#include "api/object.h"
#include "apiserver/write/write_target.h"
#include "base/time.h"

namespace plimsoll::apiserver {

/// Who a write's fields belong to.
api::FieldWriter FieldWriterOf(const WriteTarget& target, Instant now);

/// Notes in metadata.managedFields who set which fields by a create, an update or a patch. `before`
/// is null for an object that is created.
void TrackFields(const WriteTarget& target, const Draft& draft, const api::Object* before,
                 Instant now);

}  // namespace plimsoll::apiserver
