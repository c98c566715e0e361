#pragma once

#include <string_view>

#include "base/metrics.h"

namespace plimsoll::agent {

/// Metrics of all nodes together, with upstream's names where upstream has one.
struct AgentMetrics {
  explicit AgentMetrics(MetricsRegistry& registry);

  Gauge nodes;                        // plimsoll_agent_nodes
  Gauge running_pods;                 // kubelet_running_pods
  Counter started_pods;               // kubelet_started_pods_total
  MetricFamily<Counter> rejections;   // kubelet_admission_rejections_total
  MetricFamily<Counter> preemptions;  // kubelet_preemptions
  Counter failed_renewals;            // plimsoll_agent_lease_renewals_failed_total
};

}  // namespace plimsoll::agent
