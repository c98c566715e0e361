#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace prometheus {
struct MetricFamily;
}  // namespace prometheus

namespace plimsoll {

/// Formats metrics as Prometheus' text format 0.0.4 in the way of its Go library: families sorted
/// by name, metrics by labels, numbers with the fewest digits. Omits a family without metrics.
std::string FormatMetrics(std::vector<prometheus::MetricFamily> families);

}  // namespace plimsoll
