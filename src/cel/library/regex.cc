#include <array>
#include <vector>

#include "base/text/utf8.h"
#include "cel/library/libraries.h"
#include "cel/library/make_value.h"
#include "cel/library/regex_engine.h"
#include "cel/library/runtime_cost.h"
#include "cel/library/static_cost.h"
#include "cel/limits.h"
#include "cel/program.h"

namespace plimsoll::cel {
namespace {

Value FindIn(Evaluation& evaluation, const Regex& regex, const Value* arguments) {
  return Value::String(regex.Find(evaluation, arguments[0].text(), 0).value_or(""));
}

/// The cost is the same for one match and for many.
constexpr std::uint64_t kWorkPerMatch = 25;

/// Ignores an empty match adjacent to the previous match, as Go does.
Value FindAllIn(Evaluation& evaluation, const Regex& regex, const Value* arguments,
                std::int64_t limit) {
  const std::string_view text = arguments[0].text();
  std::vector<Value> found;
  std::size_t at = 0;
  std::size_t end_before = std::string_view::npos;
  std::uint64_t letters = 0;
  while (at <= text.size() && (limit < 0 || found.size() < static_cast<std::uint64_t>(limit))) {
    const std::optional<std::string_view> match = regex.Find(evaluation, text, at);
    if (!match) break;
    evaluation.Spend(kWorkPerMatch);
    const auto start = static_cast<std::size_t>(match->data() - text.data());
    const std::size_t end = start + match->size();
    if (!match->empty() || start != end_before) found.push_back(Value::String(*match));
    letters += text.size() - at;
    if (letters > kRegexLettersMax || found.size() > kElementsMax) return ListTooLarge(evaluation);
    end_before = end;
    at = end;
    if (match->empty()) at += end < text.size() ? DecodeRune(text.substr(end)).bytes : 1;
  }
  return MakeList(evaluation.arena(), found);
}

template <class Call>
Value WithRegex(Evaluation& evaluation, const Value* arguments, Call call) {
  const auto regex = CachedRegex(evaluation, arguments[1].text());
  if (!regex) return evaluation.FailCopied("Illegal regex: " + regex.error());
  return call(**regex);
}

Value Find(Evaluation& evaluation, const Value* arguments) {
  return WithRegex(evaluation, arguments,
                   [&](const Regex& regex) { return FindIn(evaluation, regex, arguments); });
}

Value FindAll(Evaluation& evaluation, const Value* arguments) {
  return WithRegex(evaluation, arguments,
                   [&](const Regex& regex) { return FindAllIn(evaluation, regex, arguments, -1); });
}

Value FindSome(Evaluation& evaluation, const Value* arguments) {
  return WithRegex(evaluation, arguments, [&](const Regex& regex) {
    return FindAllIn(evaluation, regex, arguments, arguments[2].as_int());
  });
}

Value FindPrepared(Evaluation& evaluation, const void* state, const Value* arguments) {
  if (!arguments[0].is(ValueKind::String)) return evaluation.NoSuchOverload();
  return FindIn(evaluation, *static_cast<const Regex*>(state), arguments);
}

Value FindAllPrepared(Evaluation& evaluation, const void* state, const Value* arguments) {
  if (!arguments[0].is(ValueKind::String)) return evaluation.NoSuchOverload();
  return FindAllIn(evaluation, *static_cast<const Regex*>(state), arguments, -1);
}

Value FindSomePrepared(Evaluation& evaluation, const void* state, const Value* arguments) {
  if (!arguments[0].is(ValueKind::String) || !arguments[2].is(ValueKind::Int)) {
    return evaluation.NoSuchOverload();
  }
  return FindAllIn(evaluation, *static_cast<const Regex*>(state), arguments, arguments[2].as_int());
}

template <decltype(Prepared::call) kCall>
std::expected<Prepared, std::string> PrepareFind(std::span<const Value* const> constants,
                                                 Arena& arena) {
  return PrepareRegex(constants, arena, kCall);
}

constexpr auto kFunctions = std::to_array<Function>({
    {.id = "string_find_string",
     .name = "find",
     .is_member = true,
     .signature = "string, string -> string",
     .implementation = Find,
     .prepare = PrepareFind<FindPrepared>},
    {.id = "string_find_all_string",
     .name = "findAll",
     .is_member = true,
     .signature = "string, string -> list(string)",
     .implementation = FindAll,
     .prepare = PrepareFind<FindAllPrepared>},
    {.id = "string_find_all_string_int",
     .name = "findAll",
     .is_member = true,
     .signature = "string, string, int -> list(string)",
     .implementation = FindSome,
     .prepare = PrepareFind<FindSomePrepared>},
});

constexpr auto kRuntimeCosts = std::to_array<RuntimeCostRule>({
    {"find", CostOfMatching},
    {"findAll", CostOfMatching},
});

std::optional<CallEstimate> FindCost(CostContext& context, const CostCall& call) {
  if (call.target == kNoNode || call.arguments.empty()) return std::nullopt;
  const CostRange text = context.SizeOf(call.target);
  return CallEstimate{.cost = StaticCostOfRegex(text, context.SizeOf(call.arguments[0])),
                      .result_size = CostRange{0, text.max}};
}

constexpr auto kStaticCosts = std::to_array<StaticCostRule>({
    {"find", FindCost},
    {"findAll", FindCost},
});

}  // namespace

const Library kRegexLibrary{.name = "regex",
                            .functions = kFunctions,
                            .function_costs = kStaticCosts,
                            .function_runtime_costs = kRuntimeCosts};

}  // namespace plimsoll::cel
