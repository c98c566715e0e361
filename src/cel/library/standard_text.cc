#include <array>

#include "cel/library/find_text.h"
#include "cel/library/libraries.h"
#include "cel/library/regex_engine.h"
#include "cel/library/runtime_cost.h"
#include "cel/library/static_cost.h"
#include "cel/program.h"

namespace plimsoll::cel {
namespace {

// Kinds are checked here, because upstream's error is shorter than that of other functions.

template <bool (*kTest)(std::string_view, std::string_view)>
Value Test(Evaluation& evaluation, const Value* arguments) {
  if (!arguments[0].is(ValueKind::String) || !arguments[1].is(ValueKind::String)) {
    return evaluation.NoSuchOverload();
  }
  return Value::Bool(kTest(arguments[0].text(), arguments[1].text()));
}

bool Contains(std::string_view text, std::string_view part) {
  return FindText(text, part) != std::string_view::npos;
}
bool EndsWith(std::string_view text, std::string_view part) { return text.ends_with(part); }
bool StartsWith(std::string_view text, std::string_view part) { return text.starts_with(part); }

Value Matches(Evaluation& evaluation, const Value* arguments) {
  if (!arguments[0].is(ValueKind::String)) return evaluation.Fail("no such overload: matches");
  if (!arguments[1].is(ValueKind::String)) return evaluation.NoSuchOverload();
  const auto regex = CachedRegex(evaluation, arguments[1].text());
  if (!regex) return evaluation.FailCopied(regex.error());
  return Value::Bool((*regex)->Matches(evaluation, arguments[0].text()));
}

Value MatchesPrepared(Evaluation& evaluation, const void* state, const Value* arguments) {
  if (!arguments[0].is(ValueKind::String)) return evaluation.NoSuchOverload();
  return Value::Bool(static_cast<const Regex*>(state)->Matches(evaluation, arguments[0].text()));
}

std::expected<Prepared, std::string> PrepareMatches(std::span<const Value* const> constants,
                                                    Arena& arena) {
  return PrepareRegex(constants, arena, MatchesPrepared);
}

std::uint64_t CostOfPart(std::span<const Value> arguments, Value) {
  return SizeCost(HeldSize(arguments[1]), kTextCost);
}

std::uint64_t CostOfContains(std::span<const Value> arguments, Value) {
  return MultiplyCost(SizeCost(HeldSize(arguments[0]), kTextCost),
                      SizeCost(HeldSize(arguments[1]), kTextCost));
}

constexpr auto kFunctions = std::to_array<Function>({
    {.id = "contains_string",
     .name = "contains",
     .is_member = true,
     .signature = "string, string -> bool",
     .implementation = Test<Contains>,
     .unguarded = true},
    {.id = "ends_with_string",
     .name = "endsWith",
     .is_member = true,
     .signature = "string, string -> bool",
     .implementation = Test<EndsWith>,
     .unguarded = true},
    {.id = "matches",
     .name = "matches",
     .signature = "string, string -> bool",
     .implementation = Matches,
     .prepare = PrepareMatches,
     .unguarded = true},
    {.id = "matches_string",
     .name = "matches",
     .is_member = true,
     .signature = "string, string -> bool",
     .implementation = Matches,
     .prepare = PrepareMatches,
     .unguarded = true},
    {.id = "starts_with_string",
     .name = "startsWith",
     .is_member = true,
     .signature = "string, string -> bool",
     .implementation = Test<StartsWith>,
     .unguarded = true},
});

constexpr auto kDefaultRuntimeCosts = std::to_array<RuntimeCostRule>({
    {"contains_string", CostOfContains},
    {"ends_with_string", CostOfPart},
    {"matches", CostOfMatchingHeld},
    {"matches_string", CostOfMatchingHeld},
    {"starts_with_string", CostOfPart},
});

std::optional<CallEstimate> MatchesCost(CostContext& context, const CostCall& call) {
  const bool is_member = call.target != kNoNode;
  const NodeId subject = is_member ? call.target : call.arguments[0];
  return CallEstimate{
      .cost = StaticCostOfRegex(context.SizeOf(subject), context.SizeOf(call.arguments.back()))};
}

std::optional<CallEstimate> ContainsCost(CostContext& context, const CostCall& call) {
  const CostRange text = context.SizeOf(call.target).Scale(kTextCost);
  return CallEstimate{.cost = text.Multiply(context.SizeOf(call.arguments[0]).Scale(kTextCost))};
}

constexpr auto kStaticCosts = std::to_array<StaticCostRule>({
    {"starts_with_string", StaticCostOfArgument},
    {"ends_with_string", StaticCostOfArgument},
    {"contains_string", ContainsCost},
    {"matches_string", MatchesCost},
    {"matches", MatchesCost},
});

}  // namespace

const Library kStandardTextLibrary{.name = "standard_text",
                                   .functions = kFunctions,
                                   .default_costs = kStaticCosts,
                                   .default_runtime_costs = kDefaultRuntimeCosts};

}  // namespace plimsoll::cel
