#pragma once

#include <string>
#include <string_view>

#include "api/apply/compare.h"
#include "api/apply/field_set.h"
#include "api/apply/managed_fields.h"
#include "api/schema/schema.h"

/// What updates and applies have in common.
namespace plimsoll::api {

/// `apps/v1`, `v1`.
std::string ApiVersionText(const KindDesc& kind);

/// What never is anybody's: names, and what the server keeps of itself.
const FieldSet& UnownedFields();

/// What a write through the sub-resource leaves alone, so that it owns none of it: the status of
/// an object, the spec of a status.
FieldSet ResetFields(const KindDesc& kind, std::string_view subresource);

/// Takes those fields, and all below them, out of the comparison.
void Exclude(const FieldSet& fields, Comparison& comparison);

/// Takes from everybody what was removed, changed or added by somebody else, and forgets managers
/// that are left with nothing or that wrote a version which there is no more. `except`, if not
/// null, is spared.
void TakeFromOthers(ManagedFields& managed, const Comparison& comparison, const KindDesc& kind,
                    const ManagedEntry* except);

/// Records a write of `comparison` by the updater that `self` names.
void RecordUpdate(ManagedFields& managed, Comparison&& comparison, ManagedEntry self,
                  const KindDesc& kind);

}  // namespace plimsoll::api
