#pragma once

#include <string_view>

#include "api/core/pod.h"

/// How what the containers of a pod ask for adds up. Whoever counts resources has a form of its own
/// to count them in; the rule is the same for all.
namespace plimsoll::api {

/// Only these may be asked for by the pod as a whole.
inline bool IsPodLevelResource(std::string_view name) {
  return name == "cpu" || name == "memory" || name.starts_with("hugepages-");
}

/// Containers are added up; init containers run one at a time, beside the sidecars that started
/// before them. `request_of(container)` gives a sum with `Add(sum)` and with `AddToOwn(sum)`, which
/// leaves out resources that it does not have itself; `raise(a, b)` makes of `a` the greater of the
/// two, for each resource. Each container costs as much as the resources that it names.
template <class RequestOf, class Raise>
auto AddUpRequests(const PodSpec& spec, const RequestOf& request_of, const Raise& raise) {
  using Sum = decltype(request_of(spec.containers.front()));
  Sum total;
  for (const Container& container : spec.containers) total.Add(request_of(container));
  Sum sidecars;
  Sum starting;  // the most that init containers need at one time
  for (const Container& container : spec.init_containers) {
    Sum request = request_of(container);
    if (container.restart_policy == "Always") {
      total.Add(request);
      sidecars.Add(request);
    } else {
      // The total already has all sidecars, so a resource that only they use needs no more.
      request.AddToOwn(sidecars);
      raise(starting, request);
    }
  }
  raise(total, starting);
  return total;
}

}  // namespace plimsoll::api
