#pragma once

#include "api/apply/field_set.h"
#include "api/schema/schema.h"
#include "codec/document.h"

namespace plimsoll::api {

/// What is different between two trees. No path is in two of the sets.
struct Comparison {
  FieldSet added;
  FieldSet removed;
  FieldSet modified;

  bool empty() const { return added.empty() && removed.empty() && modified.empty(); }
};

/// Compares two objects of a type, part by part as they are owned. What no path leads to (an
/// element of a keyed list without keys) is left out, and elements that share their keys count as
/// one. `arena` and both trees must outlive the result.
Comparison Compare(codec::Document& arena, const codec::Value& before, const codec::Value& after,
                   const TypeDesc& type);

/// Everything that the tree mentions: what somebody who applies it owns.
FieldSet FieldsOf(codec::Document& arena, const codec::Value& tree, const TypeDesc& type);

}  // namespace plimsoll::api
