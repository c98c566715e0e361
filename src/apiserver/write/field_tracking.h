#pragma once

#include "api/apply/apply.h"
#include "api/object.h"
#include "apiserver/write/write_target.h"
#include "base/time.h"

namespace plimsoll::apiserver {

/// Returns the field manager of a write.
api::FieldWriter FieldWriterOf(const WriteTarget& target, Instant now);

/// Updates metadata.managedFields for a create, update or patch.
/// `before` is null for a create.
void TrackFields(const WriteTarget& target, const Draft& draft, const api::Object* before,
                 Instant now);

}  // namespace plimsoll::apiserver
