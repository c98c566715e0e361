#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace prometheus {
struct MetricFamily;
}  // namespace prometheus

namespace plimsoll {

/// Prometheus' text format 0.0.4, as its Go library writes it: families by name, metrics by their
/// labels, numbers with the fewest digits. A family without metrics is left out.
std::string FormatMetrics(std::vector<prometheus::MetricFamily> families);

}  // namespace plimsoll
