// Parses responses of Prometheus servers. The first byte selects the label. Every value is finite,
// belongs to a node with a name, and can be rounded.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/assert.h"
#include "controller/node_taint_rule/metric_values.h"
#include "controller/node_taint_rule/taint_number.h"
#include "cost_bound.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  namespace controller = plimsoll::controller;
  if (size == 0) return 0;
  const plimsoll::fuzz::CostBound bound(size);
  const std::string body(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  const auto values = controller::ParseMetricValues(body, bytes[0] % 2 == 0 ? "node" : "instance");
  if (!values.has_value()) {
    PL_ASSERT(!values.error().message.empty());
    return 0;
  }
  PL_ASSERT(values->by_node.size() + values->unusable <= controller::kSeriesMax);
  for (const auto& [node, value] : values->by_node) {
    PL_ASSERT(!node.empty() && std::isfinite(value));
    const auto rounded = controller::RoundedToStep(value, 5);
    PL_ASSERT(!rounded || (*rounded >= 0 && *rounded % 5 == 0));
  }
  return 0;
}
