#include "agent/metrics.h"

namespace plimsoll::agent {

AgentMetrics::AgentMetrics(MetricsRegistry& registry)
    : nodes(registry.AddGauge({.name = "plimsoll_agent_nodes",
                               .help = "Nodes whose agent runs in this process.",
                               .labels = {}})),
      running_pods(registry.AddGauge({.name = "kubelet_running_pods",
                                      .help = "Number of pods that have a running pod sandbox",
                                      .labels = {}})),
      started_pods(registry.AddCounter({.name = "kubelet_started_pods_total",
                                        .help = "Cumulative number of pods started",
                                        .labels = {}})),
      rejections(registry.AddCounters({.name = "kubelet_admission_rejections_total",
                                       .help = "Cumulative number pod admission rejections by the "
                                               "Kubelet.",
                                       .labels = {"reason"}})),
      preemptions(registry.AddCounters({.name = "kubelet_preemptions",
                                        .help = "Cumulative number of pod preemptions by "
                                                "preemption resource",
                                        .labels = {"preemption_signal"}})),
      failed_renewals(registry.AddCounter({.name = "plimsoll_agent_lease_renewals_failed_total",
                                           .help = "Renewals of node leases that failed.",
                                           .labels = {}})) {}

}  // namespace plimsoll::agent
