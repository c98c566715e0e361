#pragma once

#include "cel/library.h"

/// What the macros become. Libraries list them; see library.h.
namespace plimsoll::cel::macros {

// Of the language.
NodeId Has(AstBuilder& builder, const MacroCall& call);
NodeId All(AstBuilder& builder, const MacroCall& call);
NodeId Exists(AstBuilder& builder, const MacroCall& call);
NodeId ExistsOne(AstBuilder& builder, const MacroCall& call);
NodeId Map(AstBuilder& builder, const MacroCall& call);  // with or without filter
NodeId Filter(AstBuilder& builder, const MacroCall& call);

// Over index or key, and value.
NodeId AllPairs(AstBuilder& builder, const MacroCall& call);
NodeId ExistsPair(AstBuilder& builder, const MacroCall& call);
NodeId ExistsOnePair(AstBuilder& builder, const MacroCall& call);
NodeId TransformList(AstBuilder& builder, const MacroCall& call);
NodeId TransformMap(AstBuilder& builder, const MacroCall& call);
NodeId TransformMapEntry(AstBuilder& builder, const MacroCall& call);

// With a name for a value that is computed once.
NodeId Bind(AstBuilder& builder, const MacroCall& call);
NodeId OptMap(AstBuilder& builder, const MacroCall& call);
NodeId OptFlatMap(AstBuilder& builder, const MacroCall& call);
NodeId SortBy(AstBuilder& builder, const MacroCall& call);

/// `result`, where `name` stands for the value of `init`: a loop over nothing whose accumulator is
/// the variable.
NodeId Let(AstBuilder& builder, std::string_view name, NodeId init, NodeId result);

}  // namespace plimsoll::cel::macros
