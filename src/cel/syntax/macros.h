#pragma once

#include "cel/library.h"

/// Expansions of the macros. Libraries list them; see library.h.
namespace plimsoll::cel::macros {

// Standard macros.
NodeId Has(AstBuilder& builder, const MacroCall& call);
NodeId All(AstBuilder& builder, const MacroCall& call);
NodeId Exists(AstBuilder& builder, const MacroCall& call);
NodeId ExistsOne(AstBuilder& builder, const MacroCall& call);
NodeId Map(AstBuilder& builder, const MacroCall& call);  // with or without filter
NodeId Filter(AstBuilder& builder, const MacroCall& call);

// Macros with two variables: index or key, and value.
NodeId AllPairs(AstBuilder& builder, const MacroCall& call);
NodeId ExistsPair(AstBuilder& builder, const MacroCall& call);
NodeId ExistsOnePair(AstBuilder& builder, const MacroCall& call);
NodeId TransformList(AstBuilder& builder, const MacroCall& call);
NodeId TransformMap(AstBuilder& builder, const MacroCall& call);
NodeId TransformMapEntry(AstBuilder& builder, const MacroCall& call);

// Macros that name a value, which is computed once.
NodeId Bind(AstBuilder& builder, const MacroCall& call);
NodeId OptMap(AstBuilder& builder, const MacroCall& call);
NodeId OptFlatMap(AstBuilder& builder, const MacroCall& call);
NodeId SortBy(AstBuilder& builder, const MacroCall& call);

/// Returns `result` with `name` bound to the value of `init`: a comprehension over an empty list
/// whose accumulator is the variable.
NodeId Let(AstBuilder& builder, std::string_view name, NodeId init, NodeId result);

}  // namespace plimsoll::cel::macros
