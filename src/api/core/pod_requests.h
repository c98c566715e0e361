#pragma once

#include <string_view>

#include "api/core/pod.h"

/// Sums up the resource requests of a pod's containers. Callers bring their own representation of
/// resources; the rule is the same for all.
namespace plimsoll::api {

/// Returns true if the resource may be requested at pod level.
inline bool IsPodLevelResource(std::string_view name) {
  return name == "cpu" || name == "memory" || name.starts_with("hugepages-");
}

/// Returns the total request of a pod: a PodSpec or a view with the same lists. Containers add up;
/// init containers run one at a time, beside the sidecars started before them.
/// `request_of(container)` returns a sum with `Add(sum)` and `AddToOwn(sum)`; the latter skips
/// resources that the sum lacks. `raise(a, b)` sets each resource of `a` to the maximum of both.
/// The cost is linear in the resources of all containers.
template <class Pod, class RequestOf, class Raise>
auto AddUpRequests(const Pod& pod, const RequestOf& request_of, const Raise& raise) {
  using Sum = decltype(request_of(*pod.containers.begin()));
  Sum total;
  for (const auto& container : pod.containers) total.Add(request_of(container));
  Sum sidecars;
  Sum starting;  // peak request while init containers run
  for (const auto& container : pod.init_containers) {
    Sum request = request_of(container);
    if (container.restart_policy == "Always") {
      total.Add(request);
      sidecars.Add(request);
    } else {
      // The total includes all sidecars already, so resources that only sidecars use are skipped.
      request.AddToOwn(sidecars);
      raise(starting, request);
    }
  }
  raise(total, starting);
  return total;
}

}  // namespace plimsoll::api
