#include "controller/ttl/ttl_controller.h"

#include <array>
#include <limits>
#include <utility>
#include <variant>

#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

/// The steps overlap, so that a cluster at a boundary does not update all nodes back and forth.
struct Step {
  std::size_t nodes_min = 0;
  std::size_t nodes_max = 0;
  std::string_view seconds;
};
constexpr std::array kSteps = {
    Step{0, 100, "0"},
    Step{90, 500, "15"},
    Step{450, 1000, "30"},
    Step{900, 2000, "60"},
    Step{1800, std::numeric_limits<std::size_t>::max(), "300"},
};

}  // namespace

std::span<const WatchedKind> TtlController::watched() const {
  static constexpr std::array kWatched = {WatchedKind{"", "v1", "Node"}};
  return kWatched;
}

void TtlController::Observe(const CoreInput& event, const Turn& turn) {
  if (const auto* const change = std::get_if<ObjectChanged>(&event)) {
    Change(*change);
  } else if (const auto* const finished = std::get_if<ActionFinished>(&event)) {
    const auto write = writes_.find(finished->id);
    if (write != writes_.end()) {
      if (!finished->status && nodes_.contains(write->second))
        queue_.Retry(write->second, turn.now);
      writes_.erase(write);
    }
  } else {
    is_synced_ = true;
  }
  Run(turn);
}

void TtlController::Change(const ObjectChanged& change) {
  const ObjectPtr& object = change.new_object != nullptr ? change.new_object : change.old_object;
  const std::string name(object->metadata().name);
  if (change.new_object == nullptr) {
    nodes_.erase(name);
    queue_.Erase(name);
  } else {
    nodes_[name] = object;
    queue_.Add(name);
  }
  Resize();
}

void TtlController::Resize() {
  const std::size_t before = step_;
  while (nodes_.size() > kSteps[step_].nodes_max) ++step_;
  while (nodes_.size() < kSteps[step_].nodes_min) --step_;
  if (step_ == before) return;
  for (const auto& [name, node] : nodes_) queue_.Add(name);
}

void TtlController::Wake(const Turn& turn) { Run(turn); }

std::optional<Instant> TtlController::NextWake() const {
  return is_synced_ ? queue_.NextWake() : std::nullopt;
}

void TtlController::Run(const Turn& turn) {
  if (!is_synced_) return;
  while (const std::optional<std::string> name = queue_.Take(turn.now)) {
    const auto node = nodes_.find(*name);
    if (node == nodes_.end()) continue;
    const api::ObjectMeta& metadata = node->second->metadata();
    if (metadata.annotations.Find(kAnnotation) == kSteps[step_].seconds) {
      queue_.Forget(*name);
      continue;
    }
    const std::string annotations = JsonText().Text(kAnnotation, kSteps[step_].seconds).Done();
    writes_[next_id_] = *name;
    turn.Do(PatchObject{
        .id = next_id_++,
        .object = node->second,
        .body =
            JsonText()
                .Raw("metadata",
                     JsonText().Text("uid", metadata.uid).Raw("annotations", annotations).Done())
                .Done()});
  }
}

}  // namespace plimsoll::controller
