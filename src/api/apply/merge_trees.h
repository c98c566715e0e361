#pragma once

#include "api/apply/field_set.h"
#include "api/schema/schema.h"
#include "codec/document.h"

namespace plimsoll::api {

/// Returns the live object with all values of the configuration set, as a new tree in `out`.
/// Nothing is removed. List elements take the order of the configuration. Elements that only
/// the live object has keep their position relative to the shared ones. If elements have
/// equal keys, the first is used.
codec::Value MergeTrees(codec::Document& out, const codec::Value& live, const codec::Value& config,
                        const TypeDesc& type);

/// Returns a copy of the tree without those fields and without parents that become empty.
codec::Value RemoveFields(codec::Document& out, const codec::Value& tree, const FieldSet& fields,
                          const TypeDesc& type);

/// Returns the same set with each struct field that has members below it added as a member.
FieldSet WithStructFieldsAsMembers(const FieldSet& fields, const TypeDesc& type);

}  // namespace plimsoll::api
