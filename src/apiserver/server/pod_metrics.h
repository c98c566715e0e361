#pragma once

#include <span>
#include <string>

#include "apiserver/cache/cache.h"

namespace plimsoll::apiserver {

/// Returns metrics of the pods in Prometheus' text format, with names and labels of
/// kube-state-metrics. `kube_pod_status_phase` has a line for each of the five phases.
/// `kube_pod_status_scheduled_time`, in seconds since 1970, exists for pods that have a node.
std::string PodMetricsText(std::span<const ObjectPtr> pods);

}  // namespace plimsoll::apiserver
