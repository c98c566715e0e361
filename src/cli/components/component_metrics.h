#pragma once

#include "base/metrics.h"
#include "client/rest_client_metrics.h"

namespace plimsoll::cli {

/// The metrics registry of a process, with the metrics that every component of Kubernetes exports:
/// process_*, kubernetes_build_info and rest_client_*.
class ComponentMetrics {
 public:
  ComponentMetrics();

  MetricsRegistry& registry() { return registry_; }
  /// Counts the requests of the process's clients.
  const client::RestClientMetrics& requests() const { return requests_; }

 private:
  MetricsRegistry registry_;
  client::RestClientMetrics requests_{registry_};
};

}  // namespace plimsoll::cli
