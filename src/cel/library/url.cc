#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
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
  explicit UrlValue(const GoUrl& url) : url_(url) {}

  const GoUrl& url() const { return url_; }

  const Type* type() const override {
    static const OpaqueType type("kubernetes.URL");
    return type.get();
  }
  Value Equals(Evaluation& evaluation, const Value& other) const override {
    const UrlValue* const right = Find<UrlValue>(other);
    if (right == nullptr) return evaluation.NoSuchOverload();
    SpendOn(evaluation);
    right->SpendOn(evaluation);
    return Value::Bool(Text() == right->Text());
  }
  std::string Text() const override { return url_.Text(); }
  std::string_view maker() const override { return "url"; }
  /// Parsing is charged once, but the accessors may be called repeatedly.
  void SpendOn(Evaluation& evaluation) const {
    evaluation.Spend(url_.opaque.size() + url_.user.size() + url_.password.value_or("").size() +
                     url_.host.size() + url_.escaped_path.size() + url_.raw_query.size() +
                     url_.escaped_fragment.size());
  }

 private:
  GoUrl url_;
};

std::optional<Value> Read(const Value* arguments, Arena& arena) {
  const std::optional<GoUrl> url = ReadAbsoluteUrl(arguments[0].text(), arena);
  if (!url) return std::nullopt;
  return MakeOpaque<UrlValue>(arena, *url);
}
std::string Explain(const Value* arguments) {
  const std::string_view text = arguments[0].text();
  const std::string fault = IsRequestUri(text) ? ExplainUrl(text) : ExplainRequestUri(text);
  return "URL parse error during conversion from string: " + fault;
}
using Call = ParsedCall<Read, Explain>;

/// The cost is one, regardless of the text's length.
Value IsUrl(Evaluation& evaluation, const Value* arguments) {
  constexpr std::uint64_t kBytesPerWork = 2;
  const std::string_view text = arguments[0].text();
  evaluation.Spend(text.size() / kBytesPerWork);
  return Value::Bool(IsRequestUri(text));
}

const GoUrl& UrlOf(const Value& value) { return As<UrlValue>(value).url(); }

Value GetScheme(Evaluation&, const Value* arguments) {
  return Value::String(UrlOf(arguments[0]).scheme);
}
Value GetHost(Evaluation&, const Value* arguments) {
  return Value::String(UrlOf(arguments[0]).host);
}
Value GetHostname(Evaluation&, const Value* arguments) {
  return Value::String(UrlOf(arguments[0]).Hostname());
}
Value GetPort(Evaluation&, const Value* arguments) {
  return Value::String(UrlOf(arguments[0]).Port());
}
Value GetEscapedPath(Evaluation&, const Value* arguments) {
  return Value::String(UrlOf(arguments[0]).escaped_path);
}

/// Returns a map from each key to its values in order.
Value GetQuery(Evaluation& evaluation, const Value* arguments) {
  constexpr std::uint64_t kWorkPerByte = 8;
  Arena& arena = evaluation.arena();
  const GoUrl& url = UrlOf(arguments[0]);
  evaluation.Spend(url.raw_query.size() * kWorkPerByte);
  std::vector<std::pair<std::string_view, std::string_view>> pairs = url.Query(arena);
  std::ranges::stable_sort(pairs, {}, &std::pair<std::string_view, std::string_view>::first);
  std::vector<MapValue::Entry> entries;
  std::vector<Value> values;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    values.push_back(Value::String(pairs[i].second));
    const bool is_last = i + 1 == pairs.size() || pairs[i + 1].first != pairs[i].first;
    if (!is_last) continue;
    entries.push_back({Value::String(pairs[i].first), MakeList(arena, values)});
    values.clear();
  }
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

/// URLs have the size of the texts they were parsed from. Upstream takes the size of the right side
/// for both sides.
std::optional<CallEstimate> EqualCost(CostContext& context, const CostCall& call) {
  if (!StaticCostOfEqual<kTypeName>(context, call)) return std::nullopt;
  const auto size = context.FindSize(call.arguments[1]);
  return CallEstimate{.cost = CostRange{1, size ? size->max : 1}.Scale(kTextCost)};
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
