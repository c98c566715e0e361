#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "controller/action.h"

/// What shows, on any Kubernetes, that somebody else sends pods away as these controllers do.
namespace plimsoll::controller {

/// Events of ours come from hosts with this before their names, where others may be at work too.
inline constexpr std::string_view kOwnHostPrefix = "plimsoll_";

/// A controller that others have too, and by what its work is known.
struct EvictionTraces {
  std::string_view controller;    // as kube-controller-manager's --controllers calls it
  std::string_view event_reason;  // of the events about pods that it sends away
};

/// Of the controllers of these names; those that send nobody away have none.
std::vector<EvictionTraces> TracesOf(std::span<const std::string> controllers);

/// The latest event (core/v1) that is not older than `since` and was not written by us, in words.
std::optional<std::string> FindRivalEvent(std::span<const ObjectPtr> events, Instant since);

/// A pod that is a kube-controller-manager with one of these controllers on, in words. Where it
/// runs as a process or on somebody else's machine there is no pod to be seen.
std::optional<std::string> FindRivalManager(std::span<const ObjectPtr> pods,
                                            std::span<const EvictionTraces> traces);

}  // namespace plimsoll::controller
