#include "controller/workload/owned_pods.h"

#include <algorithm>

#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

PodPhase ParsePhase(std::string_view text) {
  if (text == "Running") return PodPhase::Running;
  if (text == "Succeeded") return PodPhase::Succeeded;
  if (text == "Failed") return PodPhase::Failed;
  if (text == "Unknown") return PodPhase::Unknown;
  return PodPhase::Pending;
}

}  // namespace

OwnedPod ReadPod(const ObjectPtr& pod) {
  const api::Pod& view = *pod->As<api::Pod>();
  OwnedPod read{.object = pod,
                .phase = ParsePhase(view.status.phase),
                .is_terminating = !view.metadata.deletion_timestamp.empty()};
  const codec::Value* const conditions = FindAt(pod->tree(), {"status", "conditions"});
  if (conditions == nullptr) return read;
  for (const codec::Value& condition : conditions->items()) {
    if (TextAt(condition, {"type"}) != "Ready") continue;
    read.is_ready = TextAt(condition, {"status"}) == "True";
    read.ready_since = TimeAt(condition, {"lastTransitionTime"}).value_or(Instant());
    break;
  }
  return read;
}

const api::OwnerReference* ControllerOf(const api::ObjectMeta& metadata) {
  const auto found = std::ranges::find_if(
      metadata.owner_references, [](const auto& owner) { return owner.controller == true; });
  return found == metadata.owner_references.end() ? nullptr : &*found;
}

void OwnedPods::Configure(Duration min_ready, Labels template_labels, Instant now) {
  if (min_ready == min_ready_ && template_labels == template_labels_) return;
  min_ready_ = min_ready;
  template_labels_ = std::move(template_labels);
  counts_ = {};
  becoming_available_.clear();
  available_.clear();
  for (const auto& [name, pod] : pods_) Count(pod, 1, now);
}

void OwnedPods::Put(const ObjectPtr& pod, Instant now) {
  OwnedPod& place = pods_[std::string(pod->metadata().name)];
  if (place.object != nullptr) Count(place, -1, now);
  place = ReadPod(pod);
  Count(place, 1, now);
}

void OwnedPods::Erase(std::string_view name) {
  const auto at = pods_.find(name);
  if (at == pods_.end()) return;
  Count(at->second, -1, {});
  pods_.erase(at);
}

void OwnedPods::Count(const OwnedPod& pod, std::int64_t by, Instant now) {
  if (!pod.is_active()) {
    if (!pod.is_finished()) counts_.terminating += by;
    return;
  }
  counts_.active += by;
  const api::StringMap& labels = pod.metadata().labels;
  const bool has_all = std::ranges::all_of(template_labels_, [&](const auto& label) {
    return labels.Find(label.first) == label.second;
  });
  if (has_all) counts_.fully_labeled += by;
  if (!pod.is_ready) return;
  counts_.ready += by;
  std::string name(pod.metadata().name);
  if (by < 0) {
    if (available_.erase(name) > 0) --counts_.available;
    becoming_available_.erase({pod.available_at(min_ready_), std::move(name)});
  } else if (pod.is_available(min_ready_, now)) {
    ++counts_.available;
    available_.insert(std::move(name));
  } else {
    becoming_available_.emplace(pod.available_at(min_ready_), std::move(name));
  }
}

void OwnedPods::Advance(Instant now) {
  while (!becoming_available_.empty() && becoming_available_.begin()->first <= now) {
    auto ripe = becoming_available_.extract(becoming_available_.begin());
    ++counts_.available;
    available_.insert(std::move(ripe.value().second));
  }
}

std::optional<Instant> OwnedPods::NextAvailable() const {
  return becoming_available_.empty() ? std::nullopt
                                     : std::optional(becoming_available_.begin()->first);
}

const OwnedPod* OwnedPods::Find(std::string_view name) const {
  const auto at = pods_.find(name);
  return at == pods_.end() ? nullptr : &at->second;
}

}  // namespace plimsoll::controller
