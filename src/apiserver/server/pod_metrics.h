#pragma once

#include <span>
#include <string>

#include "apiserver/cache/cache.h"

namespace plimsoll::apiserver {

/// Pods as metrics, in Prometheus' text format: `kube_pod_status_phase`, a line for each of the
/// five phases, and `kube_pod_status_scheduled_time`, in seconds since 1970, of those that have a
/// node. Names and labels are those of kube-state-metrics.
std::string PodMetricsText(std::span<const ObjectPtr> pods);

}  // namespace plimsoll::apiserver
