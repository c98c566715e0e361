#include <algorithm>
#include <array>
#include <compare>
#include <optional>
#include <string>

#include "cel/library/libraries.h"
#include "cel/library/opaque_value.h"
#include "cel/library/runtime_cost.h"
#include "cel/library/semver_value.h"
#include "cel/library/static_cost.h"
#include "cel/program.h"

namespace plimsoll::cel {
namespace {

const SemverView& VersionOf(const Value& value) { return As<SemverValue>(value).version(); }

/// Removes one leading v and leading zeros of the three numbers, and adds missing numbers. A part
/// that begins with no digit gets a zero, so `1.0.-1` becomes a version. Returns nothing for a
/// short version with a prerelease or build suffix.
std::optional<std::string> Normalize(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  std::string normalized;
  int parts = 0;
  for (bool is_last = false; !is_last; ++parts) {
    const std::size_t dot = parts < 2 ? text.find('.') : std::string_view::npos;
    is_last = dot == std::string_view::npos;
    std::string_view part = text.substr(0, dot);
    if (is_last && parts < 2 && part.find_first_of("+-") != std::string_view::npos) {
      return std::nullopt;
    }
    if (parts > 0) normalized += '.';
    if (part.size() > 1) {
      part.remove_prefix(std::min(part.find_first_not_of('0'), part.size()));
      if (part.empty() || part[0] < '0' || part[0] > '9') normalized += '0';
    }
    normalized += part;
    if (!is_last) text.remove_prefix(dot + 1);
  }
  for (; parts < 3; ++parts) normalized += ".0";
  return normalized;
}

std::optional<Value> MakeVersion(std::string_view text, Arena& arena) {
  const std::optional<SemverView> version = ReadSemver(text);
  if (!version) return std::nullopt;
  return MakeOpaque<SemverValue>(arena, *version);
}

std::optional<Value> ReadStrictly(const Value* arguments, Arena& arena) {
  return MakeVersion(arguments[0].text(), arena);
}
std::string ExplainStrictly(const Value* arguments) {
  return ParseSemver(arguments[0].text()).error().message;
}

std::optional<Value> ReadEither(const Value* arguments, Arena& arena) {
  if (!arguments[1].as_bool()) return ReadStrictly(arguments, arena);
  const std::optional<std::string> normalized = Normalize(arguments[0].text());
  if (!normalized) return std::nullopt;
  return MakeVersion(arena.Copy(*normalized), arena);
}
std::string ExplainEither(const Value* arguments) {
  if (!arguments[1].as_bool()) return ExplainStrictly(arguments);
  const std::optional<std::string> normalized = Normalize(arguments[0].text());
  if (!normalized) return "short version cannot contain PreRelease/Build meta data";
  return ParseSemver(*normalized).error().message;
}

using Strict = ParsedCall<ReadStrictly, ExplainStrictly>;
using Either = ParsedCall<ReadEither, ExplainEither, 2>;

std::weak_ordering Order(Evaluation& evaluation, const Value* arguments) {
  const SemverView& a = VersionOf(arguments[0]);
  const SemverView& b = VersionOf(arguments[1]);
  // The cost of parsing was charged; comparing costs only one.
  constexpr std::size_t kBytesPerWork = 32;
  evaluation.Spend(std::min(a.prerelease.size(), b.prerelease.size()) / kBytesPerWork);
  return Compare(a, b);
}

Value CompareTo(Evaluation& evaluation, const Value* arguments) {
  const std::weak_ordering order = Order(evaluation, arguments);
  return Value::Int(order < 0 ? -1 : order > 0 ? 1 : 0);
}
Value IsGreaterThan(Evaluation& evaluation, const Value* arguments) {
  return Value::Bool(Order(evaluation, arguments) > 0);
}
Value IsLessThan(Evaluation& evaluation, const Value* arguments) {
  return Value::Bool(Order(evaluation, arguments) < 0);
}

/// A number of more than 63 bits becomes negative, as upstream.
template <std::uint64_t SemverView::* kPart>
Value Part(Evaluation&, const Value* arguments) {
  return Value::Int(static_cast<std::int64_t>(VersionOf(arguments[0]).*kPart));
}

constexpr auto kFunctions = std::to_array<Function>({
    {.id = "string_bool_to_semver",
     .name = "semver",
     .signature = "string, bool -> kubernetes.Semver",
     .implementation = Either::Call,
     .prepare = Either::PrepareCall},
    {.id = "string_to_semver",
     .name = "semver",
     .signature = "string -> kubernetes.Semver",
     .implementation = Strict::Call,
     .prepare = Strict::PrepareCall},
    {.id = "is_semver_string",
     .name = "isSemver",
     .signature = "string -> bool",
     .implementation = Strict::Succeeds},
    {.id = "is_semver_string_bool",
     .name = "isSemver",
     .signature = "string, bool -> bool",
     .implementation = Either::Succeeds},
    {.id = "semver_compare_to",
     .name = "compareTo",
     .is_member = true,
     .signature = "kubernetes.Semver, kubernetes.Semver -> int",
     .implementation = CompareTo},
    {.id = "semver_is_greater_than",
     .name = "isGreaterThan",
     .is_member = true,
     .signature = "kubernetes.Semver, kubernetes.Semver -> bool",
     .implementation = IsGreaterThan},
    {.id = "semver_is_less_than",
     .name = "isLessThan",
     .is_member = true,
     .signature = "kubernetes.Semver, kubernetes.Semver -> bool",
     .implementation = IsLessThan},
    {.id = "semver_major",
     .name = "major",
     .is_member = true,
     .signature = "kubernetes.Semver -> int",
     .implementation = Part<&SemverView::major>},
    {.id = "semver_minor",
     .name = "minor",
     .is_member = true,
     .signature = "kubernetes.Semver -> int",
     .implementation = Part<&SemverView::minor>},
    {.id = "semver_patch",
     .name = "patch",
     .is_member = true,
     .signature = "kubernetes.Semver -> int",
     .implementation = Part<&SemverView::patch>},
});

constexpr auto kRuntimeCosts = std::to_array<RuntimeCostRule>({
    {"isSemver", CostOfReading},
    {"semver", CostOfReading},
});

constexpr std::string_view kTypeName = "kubernetes.Semver";

constexpr auto kStaticCosts = std::to_array<StaticCostRule>({
    {"semver", StaticCostOfArgument},
    {"isSemver", StaticCostOfArgument},
    {"_==_", StaticCostOfEqual<kTypeName>},
});

constexpr std::array<std::string_view, 1> kObjects{"kubernetes.Semver"};

}  // namespace

const Type* SemverValue::type() const {
  static const OpaqueType type("kubernetes.Semver");
  return type.get();
}

Value SemverValue::Equals(Evaluation& evaluation, const Value& other) const {
  const SemverValue* const right = Find<SemverValue>(other);
  if (right == nullptr) return evaluation.NoSuchOverload();
  return Value::Bool(Compare(version_, right->version_) == 0);
}

const Library kSemverLibrary{.name = "semver",
                             .functions = kFunctions,
                             .function_costs = kStaticCosts,
                             .function_runtime_costs = kRuntimeCosts,
                             .objects = kObjects};

}  // namespace plimsoll::cel
