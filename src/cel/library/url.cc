#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cel/library/go_url.h"
#include "cel/library/libraries.h"
#include "cel/library/make_value.h"
#include "cel/library/opaque_value.h"
#include "cel/library/runtime_cost.h"
#include "cel/library/static_cost.h"
#include "cel/program.h"

namespace plimsoll::cel {
namespace {

/// `kubernetes.URL`
class UrlValue final : public OpaqueValue {
 public:
  explicit UrlValue(GoUrl url) : url_(std::move(url)) {}

  const GoUrl& url() const { return url_; }

  const Type* type() const override {
    static const OpaqueType type("kubernetes.URL");
    return type.get();
  }
  Value Equals(Evaluation& evaluation, const Value& other) const override {
    const UrlValue* const right = Find<UrlValue>(other);
    if (right == nullptr) return evaluation.NoSuchOverload();
    return Value::Bool(Text() == right->Text());
  }
  std::string Text() const override { return url_.Text(); }

 private:
  GoUrl url_;
};

/// Taken apart twice, as upstream does: only one of Go's parsers refuses relative references, and
/// only the other knows fragments.
std::expected<Value, std::string> Parse(const Value* arguments, Arena& arena) {
  const std::string fault = "URL parse error during conversion from string: ";
  const std::string_view text = arguments[0].text();
  if (const std::optional<std::string> refusal = FindRequestUriFault(text)) {
    return std::unexpected(fault + *refusal);
  }
  std::expected<GoUrl, std::string> url = ParseUrl(text);
  if (!url) return std::unexpected(fault + url.error());
  return MakeOpaque<UrlValue>(arena, *std::move(url));
}
using Call = ParsedCall<Parse>;

Value IsUrl(Evaluation&, const Value* arguments) {
  return Value::Bool(!FindRequestUriFault(arguments[0].text()));
}

const GoUrl& UrlOf(const Value& value) { return As<UrlValue>(value).url(); }

Value GetScheme(Evaluation&, const Value* arguments) {
  return Value::String(UrlOf(arguments[0]).scheme);
}
Value GetHost(Evaluation&, const Value* arguments) {
  return Value::String(UrlOf(arguments[0]).host);
}
Value GetHostname(Evaluation& evaluation, const Value* arguments) {
  return evaluation.Text(UrlOf(arguments[0]).Hostname());
}
Value GetPort(Evaluation& evaluation, const Value* arguments) {
  return evaluation.Text(UrlOf(arguments[0]).Port());
}
Value GetEscapedPath(Evaluation& evaluation, const Value* arguments) {
  return evaluation.Text(UrlOf(arguments[0]).EscapedPath());
}

Value GetQuery(Evaluation& evaluation, const Value* arguments) {
  std::map<std::string, std::vector<Value>> grouped;
  for (auto& [key, value] : UrlOf(arguments[0]).Query()) {
    grouped[key].push_back(evaluation.Text(value));
  }
  std::vector<MapValue::Entry> entries;
  for (const auto& [key, values] : grouped) {
    entries.push_back({evaluation.Text(key), MakeList(evaluation.arena(), values)});
  }
  Arena& arena = evaluation.arena();
  MapValue::Entry* const kept = arena.Allocate<MapValue::Entry>(entries.size());
  std::copy(entries.begin(), entries.end(), kept);
  return Value::Map(MapValue::Make({kept, entries.size()}, arena));
}

constexpr auto kFunctions = std::to_array<Function>({
    {.id = "string_to_url",
     .name = "url",
     .signature = "string -> kubernetes.URL",
     .implementation = Call::Call,
     .prepare = Call::PrepareCall},
    {.id = "url_get_scheme",
     .name = "getScheme",
     .is_member = true,
     .signature = "kubernetes.URL -> string",
     .implementation = GetScheme},
    {.id = "url_get_host",
     .name = "getHost",
     .is_member = true,
     .signature = "kubernetes.URL -> string",
     .implementation = GetHost},
    {.id = "url_get_hostname",
     .name = "getHostname",
     .is_member = true,
     .signature = "kubernetes.URL -> string",
     .implementation = GetHostname},
    {.id = "url_get_port",
     .name = "getPort",
     .is_member = true,
     .signature = "kubernetes.URL -> string",
     .implementation = GetPort},
    {.id = "url_get_escaped_path",
     .name = "getEscapedPath",
     .is_member = true,
     .signature = "kubernetes.URL -> string",
     .implementation = GetEscapedPath},
    {.id = "url_get_query",
     .name = "getQuery",
     .is_member = true,
     .signature = "kubernetes.URL -> map(string, list(string))",
     .implementation = GetQuery},
    {.id = "is_url_string",
     .name = "isURL",
     .signature = "string -> bool",
     .implementation = IsUrl},
});

constexpr auto kRuntimeCosts = std::to_array<RuntimeCostRule>({
    {"url", CostOfReading},
});

constexpr std::string_view kTypeName = "kubernetes.URL";

std::optional<CallEstimate> UrlCost(CostContext& context, const CostCall& call) {
  const CostRange size = context.SizeOf(call.arguments[0]);
  return CallEstimate{.cost = size.Scale(kTextCost), .result_size = size};
}

/// URLs are as large as the texts they were read from.
std::optional<CallEstimate> EqualCost(CostContext& context, const CostCall& call) {
  if (!StaticCostOfEqual<kTypeName>(context, call)) return std::nullopt;
  const auto a = context.FindSize(call.arguments[0]);
  const auto b = context.FindSize(call.arguments[1]);
  const std::uint64_t max = a && b ? a->Union(*b).max : 1;
  return CallEstimate{.cost = CostRange{1, max}.Scale(kTextCost)};
}

constexpr auto kStaticCosts = std::to_array<StaticCostRule>({
    {"url", UrlCost},
    {"_==_", EqualCost},
});

constexpr std::array<std::string_view, 1> kObjects{"kubernetes.URL"};

}  // namespace

const Library kUrlLibrary{.name = "url",
                          .functions = kFunctions,
                          .function_costs = kStaticCosts,
                          .function_runtime_costs = kRuntimeCosts,
                          .objects = kObjects};

}  // namespace plimsoll::cel
