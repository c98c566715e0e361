#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "scheduler/plugins/factories.h"
#include "scheduler/volume/attached_volume.h"
#include "scheduler/volume/pod_claims.h"

namespace plimsoll::scheduler {
namespace {

/// Points to the pod under test, which outlives the state.
struct LimitState final : PluginState {
  const api::Pod* pod = nullptr;
};

/// Limits the number of volumes that a driver attaches to a node to the value in the node's
/// CSINode.
class NodeVolumeLimits final : public Plugin,
                               public EnqueueExtensions,
                               public PreFilterPlugin,
                               public FilterPlugin {
 public:
  explicit NodeVolumeLimits(ClusterState& cluster) : Plugin(cluster) {}

  std::string_view name() const override { return "NodeVolumeLimits"; }

  std::vector<EventInterest> Interests() const override {
    return {{EventResource::CSINode, kAdd | kUpdate},
            {EventResource::AssignedPod, kDelete},
            {EventResource::PersistentVolumeClaim, kAdd},
            {EventResource::VolumeAttachment, kDelete}};
  }
  Hint HintFor(const PodRecord& pod, const ClusterEvent& event) const override;

  PreFilterOutcome PreFilter(const PodUnderTest& pod) override;
  Verdict Judge(const PluginState* state, const NodeView& node) const override;
  Verdict Filter(const PluginState* state, Bitmap& nodes) const override;

 private:
  /// Returns the VolumeAttachments of a node. The index is rebuilt when an attachment changes.
  const std::vector<ObjectPtr>* AttachmentsOf(std::string_view node) const;
  bool IsRequiredAndMissing(std::string_view driver, const api::CsiNode* csi_node) const;
  Verdict JudgeLimits(AttachedVolumes wanted, const api::CsiNode& csi_node,
                      const NodeView& node) const;

  mutable std::map<std::string_view, std::vector<ObjectPtr>> attachments_;  // by node
  mutable std::uint64_t attachments_version_ = 0;
};

bool AnyLimitGrew(const api::CsiNode& before, const api::CsiNode& now) {
  return std::ranges::any_of(now.drivers, [&](const api::CsiNodeDriver& driver) {
    if (!driver.allocatable_count) return false;
    const auto old = std::ranges::find(before.drivers, driver.name, &api::CsiNodeDriver::name);
    return old == before.drivers.end() || !old->allocatable_count ||
           *driver.allocatable_count > *old->allocatable_count;
  });
}

Hint NodeVolumeLimits::HintFor(const PodRecord& pod, const ClusterEvent& event) const {
  const auto queue_if = [](bool useful) { return useful ? Hint::Queue : Hint::Skip; };
  switch (event.resource) {
    case EventResource::CSINode:
      return queue_if(event.old_object == nullptr || event.new_object == nullptr ||
                      AnyLimitGrew(*event.old_object->As<api::CsiNode>(),
                                   *event.new_object->As<api::CsiNode>()));
    case EventResource::AssignedPod:
      return queue_if(
          event.old_object == nullptr ||
          std::ranges::any_of(event.old_object->As<api::Pod>()->spec.volumes, MayBeAttached));
    case EventResource::PersistentVolumeClaim:
      return queue_if(event.new_object == nullptr ||
                      UsesClaim(*pod.pod, event.new_object->metadata(), true));
    case EventResource::VolumeAttachment:
      return queue_if(std::ranges::any_of(pod.pod->spec.volumes, MayBeAttached));
    default:
      return Hint::Queue;
  }
}

PreFilterOutcome NodeVolumeLimits::PreFilter(const PodUnderTest& pod) {
  if (!std::ranges::any_of(pod.pod.spec.volumes, MayBeAttached)) {
    return {Verdict::Skip(), nullptr, {}};
  }
  auto state = std::make_shared<LimitState>();
  state->pod = &pod.pod;
  return {{}, std::move(state), {}};
}

const std::vector<ObjectPtr>* NodeVolumeLimits::AttachmentsOf(std::string_view node) const {
  if (attachments_version_ != cluster_.volume_attachments.version()) {
    attachments_.clear();
    cluster_.volume_attachments.ForEach([&](const ObjectPtr& object) {
      attachments_[object->As<api::VolumeAttachment>()->node_name].push_back(object);
    });
    attachments_version_ = cluster_.volume_attachments.version();
  }
  const auto found = attachments_.find(node);
  return found == attachments_.end() ? nullptr : &found->second;
}

bool NodeVolumeLimits::IsRequiredAndMissing(std::string_view driver,
                                            const api::CsiNode* csi_node) const {
  const ObjectPtr object = cluster_.csi_drivers.Find({}, driver);
  if (object == nullptr || !object->As<api::CsiDriver>()->prevent_pod_scheduling_if_missing) {
    return false;
  }
  return csi_node == nullptr ||
         std::ranges::find(csi_node->drivers, driver, &api::CsiNodeDriver::name) ==
             csi_node->drivers.end();
}

Verdict NodeVolumeLimits::Judge(const PluginState* state, const NodeView& node) const {
  const ObjectPtr object = cluster_.csi_nodes.Find({}, cluster_.node_name(node.slot));
  const api::CsiNode* csi_node = object == nullptr ? nullptr : object->As<api::CsiNode>();
  AttachedVolumes wanted;
  const Status added = AddAttachedVolumes(cluster_, *static_cast<const LimitState*>(state)->pod,
                                          csi_node, true, wanted);
  if (!added) {
    return Verdict::Of(
        added.error().reason == Reason::NotFound ? Code::UnschedulableAndUnresolvable : Code::Error,
        added.error().message);
  }
  for (const auto& [volume, driver] : wanted) {
    if (IsRequiredAndMissing(driver, csi_node)) {
      return Verdict::Of(Code::Unschedulable, driver + " CSI driver is not installed on the node");
    }
  }
  if (wanted.empty() || csi_node == nullptr) return {};
  return JudgeLimits(std::move(wanted), *csi_node, node);
}

Verdict NodeVolumeLimits::JudgeLimits(AttachedVolumes wanted, const api::CsiNode& csi_node,
                                      const NodeView& node) const {
  std::map<std::string_view, std::int64_t> limits;
  for (const api::CsiNodeDriver& driver : csi_node.drivers) {
    if (driver.allocatable_count) limits[driver.name] = *driver.allocatable_count;
  }
  if (limits.empty()) return {};
  AttachedVolumes attached;
  for (const PodId id : node.row.pods) {
    const Status added =
        AddAttachedVolumes(cluster_, *cluster_.pod(id).pod, &csi_node, false, attached);
    if (!added) return Verdict::Of(Code::Error, added.error().message);
  }
  for (const auto& [volume, driver] : attached) wanted.erase(volume);
  if (const auto* attachments = AttachmentsOf(cluster_.node_name(node.slot))) {
    for (const ObjectPtr& attachment : *attachments) {
      AddAttachment(cluster_, *attachment, attached);
    }
  }
  std::map<std::string_view, std::int64_t> counts;
  for (const auto& [volume, driver] : wanted) ++counts[driver];
  // Attached volumes count only for drivers that the pod would need.
  for (const auto& [volume, driver] : attached) {
    const auto count = counts.find(driver);
    if (count != counts.end() && !wanted.contains(volume)) ++count->second;
  }
  for (const auto& [driver, count] : counts) {
    const auto limit = limits.find(driver);
    if (limit != limits.end() && count > limit->second) {
      return Verdict::Of(Code::Unschedulable, "node(s) exceed max volume count");
    }
  }
  return {};
}

Verdict NodeVolumeLimits::Filter(const PluginState* state, Bitmap& nodes) const {
  // Without CSINodes and CSIDrivers, no node has limits.
  if (cluster_.csi_nodes.size() == 0 && cluster_.csi_drivers.size() == 0) {
    AttachedVolumes wanted;
    if (AddAttachedVolumes(cluster_, *static_cast<const LimitState*>(state)->pod, nullptr, true,
                           wanted)) {
      return {};
    }
  }
  FilterNodes(cluster_, nodes, [&](const NodeView& node) { return Judge(state, node).ok(); });
  return {};
}

}  // namespace

std::unique_ptr<Plugin> MakeNodeVolumeLimits(ClusterState& cluster, const PluginArgs& /*args*/) {
  return CreatePlugin<NodeVolumeLimits>(cluster);
}

}  // namespace plimsoll::scheduler
