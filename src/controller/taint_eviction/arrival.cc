#include "controller/taint_eviction/arrival.h"

#include <optional>

#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

std::optional<Instant> TimeScheduled(const codec::Value& pod) {
  const codec::Value* const conditions = FindAt(pod, {"status", "conditions"});
  if (conditions == nullptr) return std::nullopt;
  for (const codec::Value& condition : conditions->items()) {
    if (TextAt(condition, {"type"}) != "PodScheduled") continue;
    if (TextAt(condition, {"status"}) != "True") return std::nullopt;
    return TimeAt(condition, {"lastTransitionTime"});
  }
  return std::nullopt;
}

}  // namespace

Instant ArrivalOf(const api::Object& pod) {
  if (const std::optional<Instant> scheduled = TimeScheduled(pod.tree())) return *scheduled;
  return ParseTime(pod.metadata().creation_timestamp).value_or(Instant::min());
}

}  // namespace plimsoll::controller
