#pragma once

#include "api/apply/field_set.h"
#include "api/schema/schema.h"
#include "codec/document.h"

namespace plimsoll::api {

/// The live object with all that the configuration says: what both have is the configuration's, and
/// nothing is taken away. Elements of lists stand where the configuration has them, and those that
/// only the live object has where they stood between the shared ones. Of elements with the same
/// keys the first counts. A new tree in `out`.
codec::Value MergeTrees(codec::Document& out, const codec::Value& live, const codec::Value& config,
                        const TypeDesc& type);

/// The tree without those fields, and without what is left empty by it. A new tree in `out`.
codec::Value RemoveFields(codec::Document& out, const codec::Value& tree, const FieldSet& fields,
                          const TypeDesc& type);

/// The same set, in which fields of structs are members wherever something below them is.
FieldSet WithNamedFields(const FieldSet& fields, const TypeDesc& type);

}  // namespace plimsoll::api
