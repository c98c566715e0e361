#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "agent/node_agent.h"
#include "agent/pod_volumes.h"
#include "match/node_selector.h"

// Pods that wait for their PersistentVolumes.
namespace plimsoll::agent {
namespace {

constexpr Duration kRetryMin = std::chrono::milliseconds(100);
constexpr Duration kRetryMax = std::chrono::seconds(122);
/// A claim that was created with its pod is usually bound within this time; report it only after.
constexpr Duration kBindingTime = std::chrono::seconds(1);

}  // namespace

void NodeAgent::ReadVolumesOf(PodRecord& pod, const Turn& turn) {
  pod.volume_retry_at.reset();
  if (pod.volume_read != 0 || pod.has_volumes || !pod.life.is_held() || IsOver(pod)) return;
  pod.volumes = std::make_unique<VolumeReads>(*pod.life.pod());
  ReadNextVolume(pod, turn);
}

void NodeAgent::ReadNextVolume(PodRecord& pod, const Turn& turn) {
  std::optional<api::ObjectRef> next = pod.volumes->Next();
  if (!next) return UseVolumes(pod, {}, turn);
  pod.volume_read = Begin({.purpose = Purpose::PodVolumes, .pod = pod.number()});
  turn.Do(GetObject{.id = pod.volume_read, .object = *std::move(next)});
}

void NodeAgent::FinishVolumeRead(PodRecord& pod, const ActionFinished& event, const Turn& turn) {
  pod.volume_read = 0;
  Touch(pod);
  if (std::exchange(pod.has_new_labels, false)) return ReadVolumesOf(pod, turn);
  if (const Status taken = pod.volumes->Take(event); !taken) return UseVolumes(pod, taken, turn);
  ReadNextVolume(pod, turn);
}

/// Releases the pod if its volumes were read and can be used on its node; else tries again later.
void NodeAgent::UseVolumes(PodRecord& pod, const Status& read, const Turn& turn) {
  const std::unique_ptr<VolumeReads> reads = std::move(pod.volumes);
  std::string fault =
      read ? AffinityFault(reads->volumes(), *pod.node.object)
           : fmt::format("Unable to attach or mount volumes: {}", read.error().message);
  if (fault.empty()) {
    pod.has_volumes = true;
    return Prepare(pod, turn);
  }
  if (!pod.volumes_awaited_since) pod.volumes_awaited_since = turn.now;
  const bool may_be_bound_soon = !read && turn.now - *pod.volumes_awaited_since < kBindingTime;
  if (pod.volume_fault != fault && !may_be_bound_soon) {
    Tell(pod.life.pod(), pod.node, {{}, EventType::Warning, "FailedMount", fault}, {}, turn);
    pod.volume_fault = std::move(fault);
  }
  pod.volume_wait = std::clamp(pod.volume_wait * 2, kRetryMin, kRetryMax);
  pod.volume_retry_at = turn.now + pod.volume_wait;
}

/// Returns upstream's error text if a volume's node affinity excludes the node, else "".
std::string NodeAgent::AffinityFault(const std::vector<ObjectPtr>& volumes,
                                     const api::Object& node) const {
  for (const ObjectPtr& object : volumes) {
    const api::PersistentVolume& volume = *object->As<api::PersistentVolume>();
    const match::SelectorAnswer answer =
        match::MatchVolume(volume, node.metadata().labels, options_.rules);
    if (answer.matched) continue;
    return fmt::format(
        "MountVolume.NodeAffinity check failed for volume \"{}\" : {}", volume.metadata.name,
        answer.parse_error.empty() ? "no matching NodeSelectorTerms" : answer.parse_error);
  }
  return {};
}

void NodeAgent::CheckVolumesAgain(NodeRecord& node, const Turn& turn) {
  for (PodRecord* const pod : node.pods) {
    if (pod->state != PodRecord::State::Living || pod->has_volumes) continue;
    // A read in flight was sent with the old labels.
    pod->has_new_labels = pod->volume_read != 0;
    pod->volume_wait = {};
    ReadVolumesOf(*pod, turn);
    Touch(*pod);
  }
}

bool NodeAgent::IsOver(const PodRecord& pod) {
  return pod.state != PodRecord::State::Living || pod.life.has_ended() ||
         !pod.life.pod()->metadata().deletion_timestamp.empty();
}

}  // namespace plimsoll::agent
