#include "controller/node_taint_rule/metric_values.h"

#include <charconv>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "api/action.h"
#include "codec/json.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

constexpr std::size_t kShownBytesMax = 200;
constexpr std::size_t kNodeNameBytesMax = 253;

/// Reads the `[time, "value"]` of a series.
std::optional<double> FiniteValue(const codec::Value& series) {
  const codec::Value* const pair = series.Find("value");
  if (pair == nullptr || pair->items().size() != 2 || !pair->items()[1].is_string()) {
    return std::nullopt;
  }
  const std::string_view text = pair->items()[1].text();
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || stop != end || !std::isfinite(number)) return std::nullopt;
  return number;
}

Status CheckAnswer(const codec::Value& root) {
  const std::string_view status = TextAt(root, {"status"});
  if (status == "error") {
    return Fail(Reason::Invalid,
                "Prometheus rejects the query: " +
                    std::string(TextAt(root, {"error"}).substr(0, kShownBytesMax)));
  }
  if (status != "success") return Fail(Reason::BadRequest, "the response is none of Prometheus");
  const std::string_view type = TextAt(root, {"data", "resultType"});
  if (type == "vector") return {};
  return Fail(Reason::Invalid, "the query must yield an instant vector, not a " +
                                   std::string(type.substr(0, kShownBytesMax)));
}

}  // namespace

Result<MetricValues> ParseMetricValues(const std::string& body, std::string_view node_label) {
  const auto document = PL_TRY(
      codec::ParseJson(body, {.bytes_max = api::kMetricsBytesMax, .values_max = kSeriesMax * 16}));
  const codec::Value& root = document->root();
  PL_TRY(CheckAnswer(root));
  const codec::Value* const result = FindAt(root, {"data", "result"});
  if (result == nullptr || !result->is_array()) {
    return Fail(Reason::BadRequest, "the response has no list of series");
  }
  if (result->items().size() > kSeriesMax) {
    return Fail(Reason::Invalid, "the query yields " + std::to_string(result->items().size()) +
                                     " series; at most " + std::to_string(kSeriesMax) +
                                     " are read");
  }
  MetricValues values;
  std::set<std::string_view> repeated;
  for (const codec::Value& series : result->items()) {
    const std::string_view node = TextAt(series, {"metric", node_label});
    const std::optional<double> number = FiniteValue(series);
    if (node.empty() || node.size() > kNodeNameBytesMax || !number) {
      ++values.unusable;
    } else if (!values.by_node.emplace(node, *number).second) {
      ++values.unusable;
      repeated.insert(node);
    }
  }
  for (const std::string_view node : repeated) values.by_node.erase(values.by_node.find(node));
  return values;
}

}  // namespace plimsoll::controller
