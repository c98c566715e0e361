#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "controller/controller.h"

/// Detects another component that evicts pods in the same cluster, such as upstream's.
namespace plimsoll::controller {

/// Prefix of the host name in our own events; it tells them from events of other components.
inline constexpr std::string_view kOwnHostPrefix = "plimsoll_";

/// An eviction controller that upstream has too, and the traces that it leaves.
struct EvictionTraces {
  std::string_view controller;    // name in kube-controller-manager's --controllers
  std::string_view event_reason;  // reason of its events about evicted pods
};

/// Returns the traces of those of these controllers that evict pods.
std::vector<EvictionTraces> TracesOf(std::span<const std::string> controllers);

/// Describes the latest event (core/v1) since `since` that another component wrote, if any.
std::optional<std::string> FindRivalEvent(std::span<const ObjectPtr> events, Instant since);

/// Describes a pod that runs kube-controller-manager with one of these controllers enabled, if any.
/// A manager that runs outside the cluster is not detected.
std::optional<std::string> FindRivalManager(std::span<const ObjectPtr> pods,
                                            std::span<const EvictionTraces> traces);

}  // namespace plimsoll::controller
