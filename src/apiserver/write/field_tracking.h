#pragma once

#include "api/apply/apply.h"
#include "api/object.h"
#include "apiserver/write/write_target.h"
#include "apiserver/write/writer.h"

namespace plimsoll::apiserver {

/// Returns the field manager of a write.
api::FieldWriter FieldWriterOf(const WriteTarget& target, const WriteParts& parts);

/// Updates metadata.managedFields for a create, update or patch.
/// `before` is null for a create.
void TrackFields(const WriteTarget& target, const Draft& draft, const api::Object* before,
                 const WriteParts& parts);

}  // namespace plimsoll::apiserver
