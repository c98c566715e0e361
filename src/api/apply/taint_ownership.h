#pragma once

#include "api/apply/managed_fields.h"
#include "api/schema/schema.h"
#include "codec/document.h"

/// Owners of the taints of a Node. With the feature gate PlimsollTaintOwnership `spec.taints` is a
/// map list keyed by `key` and `effect`, so that managers own single taints. Without it the list is
/// atomic, as upstream's.
namespace plimsoll::api {

/// Returns the type that tells how the fields of `type` are owned. It is `type` itself. For Node
/// and NodeSpec while the gate is off, it is a copy with atomic taints.
const TypeDesc& OwnedType(const TypeDesc& type, bool owns_single_taints);

/// Adapts the owners of a Node's taints that another setting of the gate has left behind. Does
/// nothing for other kinds.
///
/// Keyed list: a manager that owns the list and none of its items comes to own the live items that
/// no manager owns. Atomic list: a manager that owns items comes to own the list instead.
///
/// `arena` and `live` must outlive `managed`.
void ReconcileTaintOwners(codec::Document& arena, ManagedFields& managed, const codec::Value& live,
                          const KindDesc& kind, bool owns_single_taints);

}  // namespace plimsoll::api
