#include "cel/syntax/macros.h"

#include <array>
#include <optional>
#include <string>

#include "cel/builder.h"

namespace plimsoll::cel::macros {
namespace {

// Former name of the accumulator; a variable of that name would shadow it in old expressions.
constexpr std::string_view kOldAccumulator = "__result__";
constexpr std::string_view kUnused = "#unused";

NodeId Call1(AstBuilder& builder, std::string_view function, NodeId argument) {
  return builder.Call(function, std::array{argument});
}
NodeId Call2(AstBuilder& builder, std::string_view function, NodeId a, NodeId b) {
  return builder.Call(function, std::array{a, b});
}
NodeId Choose(AstBuilder& builder, NodeId condition, NodeId yes, NodeId no) {
  return builder.Call("_?_:_", std::array{condition, yes, no});
}
NodeId Accumulator(AstBuilder& builder) { return builder.Ident(kAccumulator); }
NodeId Literal(AstBuilder& builder, bool value) { return builder.Literal(Value::Bool(value)); }

bool IsAccumulator(std::string_view name) {
  return name == kAccumulator || name == kOldAccumulator;
}

/// The variables of a macro, or the Fault node if they are invalid.
struct Names {
  std::string_view first;
  std::string_view second;
  std::optional<NodeId> fault;
};

bool IsName(AstBuilder& builder, NodeId node) { return builder.node(node).kind == NodeKind::Ident; }

Names OneName(AstBuilder& builder, const MacroCall& call, const char* fault) {
  const NodeId argument = call.arguments[0];
  if (!IsName(builder, argument)) return {.fault = builder.Fault(argument, fault)};
  const std::string_view name = builder.node(argument).name;
  if (IsAccumulator(name)) {
    return {.fault = builder.Fault(argument, "iteration variable overwrites accumulator variable")};
  }
  return {.first = name};
}

Names TwoNames(AstBuilder& builder, const MacroCall& call) {
  for (const NodeId argument : call.arguments.first(2)) {
    if (!IsName(builder, argument)) {
      return {.fault = builder.Fault(argument, "argument must be a simple name")};
    }
  }
  const std::string_view first = builder.node(call.arguments[0]).name;
  const std::string_view second = builder.node(call.arguments[1]).name;
  if (first == second) {
    return {.fault =
                builder.Fault(call.arguments[1], "duplicate variable name: " + std::string(first))};
  }
  for (const NodeId argument : call.arguments.first(2)) {
    if (IsAccumulator(builder.node(argument).name)) {
      return {.fault =
                  builder.Fault(argument, "iteration variable overwrites accumulator variable")};
    }
  }
  return {.first = first, .second = second};
}

/// The parts in which the comprehensions differ.
struct Loop {
  NodeId init;
  NodeId condition;
  NodeId step;
  NodeId result;
};

NodeId Over(AstBuilder& builder, const MacroCall& call, const Names& names, const Loop& loop) {
  return builder.Fold({.iter = names.first,
                       .iter2 = names.second,
                       .range = call.target,
                       .accu = kAccumulator,
                       .init = loop.init,
                       .condition = loop.condition,
                       .step = loop.step,
                       .result = loop.result});
}

NodeId FoldAll(AstBuilder& builder, const MacroCall& call, const Names& names) {
  if (names.fault) return *names.fault;
  return Over(builder, call, names,
              {.init = Literal(builder, true),
               .condition = Call1(builder, "@not_strictly_false", Accumulator(builder)),
               .step = Call2(builder, "_&&_", Accumulator(builder), call.arguments.back()),
               .result = Accumulator(builder)});
}

NodeId FoldExists(AstBuilder& builder, const MacroCall& call, const Names& names) {
  if (names.fault) return *names.fault;
  const NodeId not_yet = Call1(builder, "!_", Accumulator(builder));
  return Over(builder, call, names,
              {.init = Literal(builder, false),
               .condition = Call1(builder, "@not_strictly_false", not_yet),
               .step = Call2(builder, "_||_", Accumulator(builder), call.arguments.back()),
               .result = Accumulator(builder)});
}

NodeId FoldExistsOne(AstBuilder& builder, const MacroCall& call, const Names& names) {
  if (names.fault) return *names.fault;
  const auto one = [&] { return builder.Literal(Value::Int(1)); };
  const NodeId more = Call2(builder, "_+_", Accumulator(builder), one());
  return Over(builder, call, names,
              {.init = builder.Literal(Value::Int(0)),
               .condition = Literal(builder, true),
               .step = Choose(builder, call.arguments.back(), more, Accumulator(builder)),
               .result = Call2(builder, "_==_", Accumulator(builder), one())});
}

/// Appends `made` to the list for every element that passes the filter, if there is one.
NodeId FoldList(AstBuilder& builder, const MacroCall& call, const Names& names,
                std::optional<NodeId> filter, NodeId made) {
  NodeId step = Call2(builder, "_+_", Accumulator(builder), builder.List(std::array{made}));
  if (filter) step = Choose(builder, *filter, step, Accumulator(builder));
  return Over(builder, call, names,
              {.init = builder.List({}),
               .condition = Literal(builder, true),
               .step = step,
               .result = Accumulator(builder)});
}

/// Same for maps: the arguments of the insertion follow the accumulator.
NodeId FoldMap(AstBuilder& builder, const MacroCall& call, const Names& names,
               std::optional<NodeId> filter, std::span<const NodeId> inserted) {
  NodeId step = builder.Call("cel.@mapInsert", inserted);
  if (filter) step = Choose(builder, *filter, step, Accumulator(builder));
  return Over(builder, call, names,
              {.init = builder.Map({}),
               .condition = Literal(builder, true),
               .step = step,
               .result = Accumulator(builder)});
}

}  // namespace

NodeId Let(AstBuilder& builder, std::string_view name, NodeId init, NodeId result) {
  return builder.Fold({.iter = kUnused,
                       .range = builder.List({}),
                       .accu = name,
                       .init = init,
                       .condition = Literal(builder, false),
                       .step = builder.Ident(name),
                       .result = result});
}

NodeId Has(AstBuilder& builder, const MacroCall& call) {
  const NodeId argument = call.arguments[0];
  const Node node = builder.node(argument);
  if (node.kind != NodeKind::Select || node.is_test) {
    return builder.Fault(argument, "invalid argument to has() macro");
  }
  return builder.Test(node.operand, node.name);
}

NodeId All(AstBuilder& builder, const MacroCall& call) {
  return FoldAll(builder, call, OneName(builder, call, "argument must be a simple name"));
}
NodeId Exists(AstBuilder& builder, const MacroCall& call) {
  return FoldExists(builder, call, OneName(builder, call, "argument must be a simple name"));
}
NodeId ExistsOne(AstBuilder& builder, const MacroCall& call) {
  return FoldExistsOne(builder, call, OneName(builder, call, "argument must be a simple name"));
}

NodeId Map(AstBuilder& builder, const MacroCall& call) {
  const Names names = OneName(builder, call, "argument is not an identifier");
  if (names.fault) return *names.fault;
  const bool has_filter = call.arguments.size() == 3;
  return FoldList(builder, call, names,
                  has_filter ? std::optional(call.arguments[1]) : std::nullopt,
                  call.arguments.back());
}

NodeId Filter(AstBuilder& builder, const MacroCall& call) {
  const Names names = OneName(builder, call, "argument is not an identifier");
  if (names.fault) return *names.fault;
  return FoldList(builder, call, names, call.arguments[1], call.arguments[0]);
}

NodeId AllPairs(AstBuilder& builder, const MacroCall& call) {
  return FoldAll(builder, call, TwoNames(builder, call));
}
NodeId ExistsPair(AstBuilder& builder, const MacroCall& call) {
  return FoldExists(builder, call, TwoNames(builder, call));
}
NodeId ExistsOnePair(AstBuilder& builder, const MacroCall& call) {
  return FoldExistsOne(builder, call, TwoNames(builder, call));
}

NodeId TransformList(AstBuilder& builder, const MacroCall& call) {
  const Names names = TwoNames(builder, call);
  if (names.fault) return *names.fault;
  const bool has_filter = call.arguments.size() == 4;
  return FoldList(builder, call, names,
                  has_filter ? std::optional(call.arguments[2]) : std::nullopt,
                  call.arguments.back());
}

NodeId TransformMap(AstBuilder& builder, const MacroCall& call) {
  const Names names = TwoNames(builder, call);
  if (names.fault) return *names.fault;
  const bool has_filter = call.arguments.size() == 4;
  const std::array inserted{Accumulator(builder), builder.Ident(names.first),
                            call.arguments.back()};
  return FoldMap(builder, call, names, has_filter ? std::optional(call.arguments[2]) : std::nullopt,
                 inserted);
}

NodeId TransformMapEntry(AstBuilder& builder, const MacroCall& call) {
  const Names names = TwoNames(builder, call);
  if (names.fault) return *names.fault;
  const bool has_filter = call.arguments.size() == 4;
  const std::array inserted{Accumulator(builder), call.arguments.back()};
  return FoldMap(builder, call, names, has_filter ? std::optional(call.arguments[2]) : std::nullopt,
                 inserted);
}

NodeId Bind(AstBuilder& builder, const MacroCall& call) {
  const Node target = builder.node(call.target);
  if (target.kind != NodeKind::Ident || target.name != "cel") return kNoNode;
  const NodeId variable = call.arguments[0];
  if (!IsName(builder, variable)) {
    return builder.Fault(variable, "cel.bind() variable names must be simple identifiers");
  }
  return Let(builder, builder.node(variable).name, call.arguments[1], call.arguments[2]);
}

NodeId OptMap(AstBuilder& builder, const MacroCall& call) {
  const NodeId variable = call.arguments[0];
  if (!IsName(builder, variable)) {
    return builder.Fault(variable, "optMap() variable name must be a simple identifier");
  }
  const NodeId value = builder.Member("value", builder.Copy(call.target), {});
  const NodeId mapped = Let(builder, builder.node(variable).name, value, call.arguments[1]);
  return Choose(builder, builder.Member("hasValue", call.target, {}),
                Call1(builder, "optional.of", mapped), builder.Call("optional.none", {}));
}

NodeId OptFlatMap(AstBuilder& builder, const MacroCall& call) {
  const NodeId variable = call.arguments[0];
  if (!IsName(builder, variable)) {
    return builder.Fault(variable, "optFlatMap() variable name must be a simple identifier");
  }
  const NodeId value = builder.Member("value", builder.Copy(call.target), {});
  const NodeId mapped = Let(builder, builder.node(variable).name, value, call.arguments[1]);
  return Choose(builder, builder.Member("hasValue", call.target, {}), mapped,
                builder.Call("optional.none", {}));
}

NodeId SortBy(AstBuilder& builder, const MacroCall& call) {
  constexpr std::string_view kInput = "@__sortBy_input__";
  const NodeKind kind = builder.node(call.target).kind;
  if (kind == NodeKind::Literal || kind == NodeKind::Map || kind == NodeKind::Struct) {
    return builder.Fault(call.target,
                         "sortBy can only be applied to a list, identifier, comprehension, call or "
                         "select expression");
  }
  const MacroCall over_input{
      .call = call.call, .target = builder.Ident(kInput), .arguments = call.arguments};
  const NodeId keys = Map(builder, over_input);
  if (builder.node(keys).kind == NodeKind::Fault) return keys;
  const NodeId sorted =
      builder.Member("@sortByAssociatedKeys", builder.Ident(kInput), std::array{keys});
  return Let(builder, kInput, call.target, sorted);
}

}  // namespace plimsoll::cel::macros
