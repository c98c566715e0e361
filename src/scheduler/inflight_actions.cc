#include "scheduler/inflight_actions.h"

#include <utility>

namespace plimsoll::scheduler {

std::optional<CallType> InflightActions::CallTypeOf(Kind kind) {
  switch (kind) {
    case Kind::Bind:
      return CallType::PodBinding;
    case Kind::PatchStatus:
      return CallType::PodStatusPatch;
    case Kind::Evict:
    case Kind::Write:
      break;
  }
  return std::nullopt;
}

api::ActionId InflightActions::Start(Kind kind, PodId pod) {
  if (free_slots_.empty()) {
    free_slots_.push_back(static_cast<std::uint32_t>(entries_.size()));
    entries_.emplace_back();
  }
  const std::uint32_t slot = free_slots_.back();
  free_slots_.pop_back();
  Entry& entry = entries_[slot];
  entry.is_pending = true;
  entry.kind = kind;
  entry.pod = pod;
  if (const std::optional<CallType> call = CallTypeOf(kind)) {
    entry.started = stopwatch_.Now();
    ++pending_calls_[static_cast<std::size_t>(*call)];
  }
  return static_cast<api::ActionId>(++entry.generation) << 32 | slot;
}

std::optional<InflightActions::Finished> InflightActions::Finish(
    const api::ActionFinished& finished) {
  const std::uint32_t slot = SlotOf(finished.id);
  if (slot >= entries_.size()) return std::nullopt;
  Entry& entry = entries_[slot];
  if (!entry.is_pending || entry.generation != finished.id >> 32) return std::nullopt;
  entry.is_pending = false;
  free_slots_.push_back(slot);
  if (const std::optional<CallType> call = CallTypeOf(entry.kind)) {
    --pending_calls_[static_cast<std::size_t>(*call)];
    metrics_.CallEnded(*call, finished.status.has_value(), stopwatch_.Now() - entry.started);
  }
  return Finished{entry.kind, entry.pod};
}

void InflightActions::PublishPendingCalls() const {
  for (const CallType call : {CallType::PodBinding, CallType::PodStatusPatch}) {
    metrics_.SetPendingCalls(call, pending_calls_[static_cast<std::size_t>(call)]);
  }
}

}  // namespace plimsoll::scheduler
