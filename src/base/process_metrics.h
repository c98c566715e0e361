#pragma once

namespace plimsoll {

class MetricsRegistry;

/// Adds the metrics of this process that Prometheus' Go library has, read at each scrape:
/// process_cpu_seconds_total, process_open_fds and so on. Leaves out those that the system does not
/// tell. The network counters are those of the process's network namespace.
void AddProcessMetrics(MetricsRegistry& registry);

}  // namespace plimsoll
