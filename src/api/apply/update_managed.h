#pragma once

#include <string>
#include <string_view>

#include "api/apply/compare.h"
#include "api/apply/field_set.h"
#include "api/apply/managed_fields.h"
#include "api/schema/schema.h"

/// Code shared by updates and applies.
namespace plimsoll::api {

/// `apps/v1`, `v1`.
std::string ApiVersionText(const KindDesc& kind);

/// Fields that no manager ever owns: names, and metadata that the server maintains.
const FieldSet& UnownedFields();

/// Returns the fields that a write through the sub-resource cannot change and so never owns:
/// `status` for the object itself, `spec` for the status.
FieldSet ResetFields(const KindDesc& kind, std::string_view subresource);

/// Removes those fields and all fields below them from the comparison.
void Exclude(const FieldSet& fields, Comparison& comparison);

/// Removes changed, added and removed fields from all entries. Drops entries that become
/// empty, and entries whose API version is no longer served. Skips the entry of the
/// manager `except`, unless null.
void TakeFromOthers(ManagedFields& managed, const Comparison& comparison, const KindDesc& kind,
                    const ManagedEntry* except);

/// Records an update with the changes of `comparison` under the manager `self`.
void RecordUpdate(ManagedFields& managed, Comparison&& comparison, ManagedEntry self,
                  const KindDesc& kind);

}  // namespace plimsoll::api
