#include "scheduler/cluster/node_row.h"

#include <algorithm>

#include "base/assert.h"

namespace plimsoll::scheduler {

void NodeRow::AddPod(PodId id, const PodClass& pod_class) {
  pods.push_back(id);
  requested.Add(pod_class.requests.exact);
  scored_milli_cpu += pod_class.requests.scored_milli_cpu;
  scored_memory += pod_class.requests.scored_memory;
  ports.insert(ports.end(), pod_class.host_ports.begin(), pod_class.host_ports.end());
}

void NodeRow::RemovePod(PodId id, const PodClass& pod_class) {
  const auto found = std::ranges::find(pods, id);
  PL_ASSERT(found != pods.end());
  *found = pods.back();
  pods.pop_back();
  requested.Subtract(pod_class.requests.exact);
  scored_milli_cpu -= pod_class.requests.scored_milli_cpu;
  scored_memory -= pod_class.requests.scored_memory;
  // A port stands there once for each pod that has it, so any one of them is right.
  for (const HostPort& port : pod_class.host_ports) ports.erase(std::ranges::find(ports, port));
}

}  // namespace plimsoll::scheduler
