#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace prometheus {
struct MetricFamily;
}  // namespace prometheus

namespace plimsoll {

/// Formats metrics as Prometheus' text format 0.0.4, like its Go library. Sorts families by name
/// and metrics by labels. Numbers have the fewest digits. Omits a family without metrics.
std::string FormatMetrics(std::vector<prometheus::MetricFamily> families);

}  // namespace plimsoll
