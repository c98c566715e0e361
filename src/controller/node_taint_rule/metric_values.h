#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"

namespace plimsoll::controller {

/// Values of an instant vector, one per node.
struct MetricValues {
  std::map<std::string, double, std::less<>> by_node;  // finite
  std::size_t unusable = 0;  // series without the label, not finite, or with a repeated label
};

/// Series of a response. A longer one is rejected.
inline constexpr std::size_t kSeriesMax = 100'000;

/// Reads the response of Prometheus to an instant query. A node with several series gets no value.
/// BadRequest: the text is no such response. Invalid: Prometheus reports an error, or the result is
/// no vector or has too many series.
Result<MetricValues> ParseMetricValues(const std::string& body, std::string_view node_label);

}  // namespace plimsoll::controller
