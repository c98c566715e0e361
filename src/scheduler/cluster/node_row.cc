#include "scheduler/cluster/node_row.h"

#include <algorithm>
#include <set>
#include <tuple>

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
  if (pod_class.host_ports.empty()) return;
  // `ports` has one entry per pod and port. Its texts belong to the pod's class. Comparing
  // addresses removes an entry of this class, not an equal one of another class.
  using Own = std::tuple<std::int32_t, const char*, const char*>;
  const auto own = [](const HostPort& port) {
    return Own(port.port, port.protocol.data(), port.ip.data());
  };
  std::set<Own> leaving;
  for (const HostPort& port : pod_class.host_ports) leaving.insert(own(port));
  std::erase_if(ports, [&](const HostPort& port) { return leaving.erase(own(port)) > 0; });
}

}  // namespace plimsoll::scheduler
