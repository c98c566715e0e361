#include "agent/volume_manager.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "match/node_selector.h"

namespace plimsoll::agent {
namespace {

constexpr Duration kRetryMin = std::chrono::milliseconds(100);
constexpr Duration kRetryMax = std::chrono::seconds(122);
/// A claim that was created with its pod is usually bound within this time; report it only after.
constexpr Duration kBindingTime = std::chrono::seconds(1);

bool CanStillStart(const PodRecord& pod) {
  return pod.state == PodRecord::State::Living && !pod.life.has_ended() && !pod.is_deleting();
}

}  // namespace

VolumeManager::VolumeManager(const match::Rules& rules, ActionId& next_action,
                             EventRecorder& events, OnUsable on_usable)
    : rules_(rules), events_(events), on_usable_(std::move(on_usable)), pending_(next_action) {}

void VolumeManager::Add(const PodRecord& pod) {
  if (!HasVolumeClaims(pod.life.pod()->As<api::Pod>()->spec)) return;
  waiting_[pod.number()].pod = &pod;
}

void VolumeManager::Read(const PodRecord& pod, const Turn& turn) {
  const auto at = waiting_.find(pod.number());
  if (at != waiting_.end()) Read(at->second, turn);
}

void VolumeManager::Read(Waiting& waiting, const Turn& turn) {
  CancelRetry(waiting);
  if (waiting.read != 0 || !CanStillStart(*waiting.pod)) return;
  waiting.reads.emplace(*waiting.pod->life.pod());
  ReadNext(waiting, turn);
}

void VolumeManager::ReadNext(Waiting& waiting, const Turn& turn) {
  std::optional<api::ObjectRef> next = waiting.reads->Next();
  if (!next) return FinishReads(waiting, {}, turn);
  waiting.read = pending_.Begin(waiting.pod->number());
  turn.Do(GetObject{.id = waiting.read, .object = *std::move(next)});
}

bool VolumeManager::Finish(const ActionFinished& event, const Turn& turn) {
  const std::optional<std::uint64_t> number = pending_.Finish(event.id);
  if (!number) return false;
  Waiting& waiting = waiting_.at(*number);
  waiting.read = 0;
  if (std::exchange(waiting.has_new_labels, false)) {
    Read(waiting, turn);
  } else if (const Status read = waiting.reads->FinishRead(event); !read) {
    FinishReads(waiting, read, turn);
  } else {
    ReadNext(waiting, turn);
  }
  return true;
}

/// Lets the pod use its volumes if they were read and its node may use them; else tries again.
void VolumeManager::FinishReads(Waiting& waiting, const Status& read, const Turn& turn) {
  const PodRecord& pod = *waiting.pod;
  std::string fault =
      read ? AffinityFault(waiting.reads->volumes(), *pod.node.object)
           : fmt::format("Unable to attach or mount volumes: {}", read.error().message);
  waiting.reads.reset();
  if (fault.empty()) {
    waiting_.erase(pod.number());
    return on_usable_(pod.number(), turn);
  }
  if (!waiting.since) waiting.since = turn.now;
  const bool may_be_bound_soon = !read && turn.now - *waiting.since < kBindingTime;
  if (waiting.reported != fault && !may_be_bound_soon) {
    events_.Record(pod.life.pod(), pod.node, {{}, EventType::Warning, "FailedMount", fault}, {},
                   turn);
    waiting.reported = std::move(fault);
  }
  waiting.retry_wait = std::clamp(waiting.retry_wait * 2, kRetryMin, kRetryMax);
  waiting.retry_at = turn.now + waiting.retry_wait;
  due_.emplace(*waiting.retry_at, pod.number());
}

/// Returns upstream's error text if a volume's node affinity excludes the node, else "".
std::string VolumeManager::AffinityFault(const std::vector<ObjectPtr>& volumes,
                                         const api::Object& node) const {
  for (const ObjectPtr& object : volumes) {
    const api::PersistentVolume& volume = *object->As<api::PersistentVolume>();
    const match::SelectorAnswer answer = match::MatchVolume(volume, node.metadata().labels, rules_);
    if (answer.matched) continue;
    return fmt::format(
        "MountVolume.NodeAffinity check failed for volume \"{}\" : {}", volume.metadata.name,
        answer.parse_error.empty() ? "no matching NodeSelectorTerms" : answer.parse_error);
  }
  return {};
}

void VolumeManager::ObserveNodeLabels(std::span<PodRecord* const> pods, const Turn& turn) {
  for (const PodRecord* const pod : pods) {
    const auto at = waiting_.find(pod->number());
    if (at == waiting_.end() || pod->state != PodRecord::State::Living) continue;
    // A read in flight was sent with the old labels.
    at->second.has_new_labels = at->second.read != 0;
    at->second.retry_wait = {};
    Read(at->second, turn);
  }
}

void VolumeManager::CancelRetry(Waiting& waiting) {
  if (!waiting.retry_at) return;
  due_.erase({*waiting.retry_at, waiting.pod->number()});
  waiting.retry_at.reset();
}

void VolumeManager::Forget(const PodRecord& pod) {
  const auto at = waiting_.find(pod.number());
  if (at == waiting_.end()) return;
  CancelRetry(at->second);
  if (at->second.read != 0) pending_.Cancel(at->second.read);
  waiting_.erase(at);
}

void VolumeManager::Wake(const Turn& turn) {
  while (!due_.empty() && due_.begin()->first <= turn.now) {
    Read(waiting_.at(due_.begin()->second), turn);  // removes the entry
  }
}

std::optional<Instant> VolumeManager::NextWake() const {
  if (due_.empty()) return std::nullopt;
  return due_.begin()->first;
}

}  // namespace plimsoll::agent
