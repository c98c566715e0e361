#pragma once

#include "api/apply/field_set.h"
#include "api/schema/schema.h"
#include "codec/document.h"

namespace plimsoll::api {

/// Differences between two trees. No path is in two of the sets.
struct Comparison {
  FieldSet added;
  FieldSet removed;
  FieldSet modified;

  bool empty() const { return added.empty() && removed.empty() && modified.empty(); }
};

/// Compares two objects of a type at the granularity of ownership. Ignores values without a path,
/// such as an element of a keyed list that lacks its keys. Elements with equal keys count as one.
/// `arena` and both trees must outlive the result.
Comparison Compare(codec::Document& arena, const codec::Value& before, const codec::Value& after,
                   const TypeDesc& type);

/// Returns all fields in the tree: the fields that a manager owns after applying it.
FieldSet FieldsOf(codec::Document& arena, const codec::Value& tree, const TypeDesc& type);

}  // namespace plimsoll::api
