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

void NodeAgent::ReadVolumesOf(PodRecord& pod, const Step& step) {
  pod.volume_retry_at.reset();
  if (pod.volume_read != 0 || pod.has_volumes || !pod.life.is_held() || IsOver(pod)) return;
  pod.volume_read = Begin({.purpose = Purpose::PodVolumes, .pod = pod.number()});
  step.out.push_back(ReadVolumes{pod.volume_read, pod.life.pod()});
}

void NodeAgent::Take(const VolumesRead& event, const Step& step) {
  const std::optional<Pending> pending = Finish(event.id);
  PodRecord* const pod = pending ? FindPod(pending->pod) : nullptr;
  if (pod == nullptr) return;
  pod->volume_read = 0;
  Touch(*pod);
  if (std::exchange(pod->has_new_labels, false)) return ReadVolumesOf(*pod, step);
  const bool is_unbound = !event.volumes.has_value();
  std::string fault = is_unbound ? fmt::format("Unable to attach or mount volumes: {}",
                                               event.volumes.error().message)
                                 : AffinityFault(*event.volumes, *pod->node.object);
  if (fault.empty()) {
    pod->has_volumes = true;
    return Prepare(*pod, step);
  }
  if (!pod->volumes_awaited_since) pod->volumes_awaited_since = step.now;
  if (pod->volume_fault != fault &&
      (!is_unbound || step.now - *pod->volumes_awaited_since >= kBindingTime)) {
    Tell(pod->life.pod(), pod->node, {{}, EventType::Warning, "FailedMount", fault}, {}, step);
    pod->volume_fault = std::move(fault);
  }
  pod->volume_wait = std::clamp(pod->volume_wait * 2, kRetryMin, kRetryMax);
  pod->volume_retry_at = step.now + pod->volume_wait;
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

void NodeAgent::CheckVolumesAgain(NodeRecord& node, const Step& step) {
  for (PodRecord* const pod : node.pods) {
    if (pod->state != PodRecord::State::Living || pod->has_volumes) continue;
    // A read in flight was sent with the old labels.
    pod->has_new_labels = pod->volume_read != 0;
    pod->volume_wait = {};
    ReadVolumesOf(*pod, step);
    Touch(*pod);
  }
}

bool NodeAgent::IsOver(const PodRecord& pod) {
  return pod.state != PodRecord::State::Living || pod.life.has_ended() ||
         !pod.life.pod()->metadata().deletion_timestamp.empty();
}

}  // namespace plimsoll::agent
