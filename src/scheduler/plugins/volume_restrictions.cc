#include <algorithm>
#include <string>
#include <utility>

#include "api/core/volume_source.h"
#include "scheduler/plugins/factories.h"
#include "scheduler/volume/pod_claims.h"

namespace plimsoll::scheduler {
namespace {

using api::VolumeKind;

/// Disks that one pod per node may use, or several pods if all of them only read.
bool IsRestricted(const api::Volume& volume) {
  return volume.kind == VolumeKind::GcePersistentDisk ||
         volume.kind == VolumeKind::AwsElasticBlockStore || volume.kind == VolumeKind::Iscsi ||
         volume.kind == VolumeKind::Rbd;
}

bool IsReadOnly(const api::Volume& volume) { return api::SourceFlag(volume.disk, "readOnly"); }

bool ShareMonitor(const api::Volume& a, const api::Volume& b) {
  const std::vector<std::string_view> monitors = api::SourceTexts(b.disk, "monitors");
  return std::ranges::any_of(api::SourceTexts(a.disk, "monitors"), [&](std::string_view monitor) {
    return std::ranges::find(monitors, monitor) != monitors.end();
  });
}

bool IsSameDisk(const api::Volume& a, const api::Volume& b) {
  const auto same = [&](std::string_view field) {
    return api::SourceText(a.disk, field) == api::SourceText(b.disk, field);
  };
  switch (a.kind) {
    case VolumeKind::GcePersistentDisk:
      return same("pdName");
    case VolumeKind::AwsElasticBlockStore:
      return same("volumeID");
    case VolumeKind::Iscsi:
      return same("iqn");
    default:
      return ShareMonitor(a, b) && same("pool") && same("image");
  }
}

bool Conflict(const api::Volume& a, const api::Volume& b) {
  if (a.kind != b.kind || !IsSameDisk(a, b)) return false;
  return a.kind == VolumeKind::AwsElasticBlockStore || !IsReadOnly(a) || !IsReadOnly(b);
}

/// Returns true if both pods use the same restricted disk.
bool DisksConflict(const api::Pod& pod, const api::Pod& other) {
  return std::ranges::any_of(pod.spec.volumes, [&](const api::Volume& volume) {
    return IsRestricted(volume) &&
           std::ranges::any_of(other.spec.volumes, [&](const api::Volume& existing) {
             return Conflict(volume, existing);
           });
  });
}

/// Points to the pod under test, which outlives the state.
struct RestrictionState final : PluginState {
  const api::Pod* pod = nullptr;
  bool has_disks = false;
  std::vector<std::string_view> exclusive_claims;  // ReadWriteOncePod
  int conflicts = 0;                               // uses of these by other pods

  std::unique_ptr<PluginState> Clone() const override {
    return std::make_unique<RestrictionState>(*this);
  }
  int UsesBy(const api::Pod& other) const {
    if (other.metadata.namespace_ != pod->metadata.namespace_) return 0;
    return static_cast<int>(
        std::ranges::count_if(other.spec.volumes, [&](const api::Volume& volume) {
          return volume.kind == VolumeKind::PersistentVolumeClaim &&
                 std::ranges::find(exclusive_claims, volume.claim_name) != exclusive_claims.end();
        }));
  }
};

/// Separates pods that cannot share a disk, and enforces ReadWriteOncePod.
class VolumeRestrictions final : public Plugin,
                                 public EnqueueExtensions,
                                 public PreFilterPlugin,
                                 public PreFilterExtensions,
                                 public FilterPlugin {
 public:
  explicit VolumeRestrictions(ClusterState& cluster) : Plugin(cluster) {}

  std::string_view name() const override { return "VolumeRestrictions"; }

  std::vector<EventInterest> Interests() const override {
    return {{EventResource::AssignedPod, kDelete},
            {EventResource::Node, kAdd},
            {EventResource::PersistentVolumeClaim, kAdd | kUpdate}};
  }
  Hint HintFor(const PodRecord& pod, const ClusterEvent& event) const override;

  PreFilterOutcome PreFilter(const PodUnderTest& pod) override;
  Verdict Judge(const PluginState* state, const NodeView& node) const override;
  Verdict Filter(const PluginState* state, Bitmap& nodes) const override;
  void AddPod(PluginState* state, PodId pod, const NodeView& node) const override;
  void RemovePod(PluginState* state, PodId pod, const NodeView& node) const override;

 private:
  int CountConflicts(const RestrictionState& state) const;
};

Hint VolumeRestrictions::HintFor(const PodRecord& pod, const ClusterEvent& event) const {
  if (event.resource == EventResource::PersistentVolumeClaim && event.new_object != nullptr) {
    return UsesClaim(*pod.pod, event.new_object->metadata(), false) ? Hint::Queue : Hint::Skip;
  }
  if (event.resource != EventResource::AssignedPod || event.old_object == nullptr) {
    return Hint::Queue;
  }
  const auto& deleted = *event.old_object->As<api::Pod>();
  if (DisksConflict(*pod.pod, deleted)) return Hint::Queue;
  const bool shares_claim =
      deleted.metadata.namespace_ == pod.pod->metadata.namespace_ &&
      std::ranges::any_of(deleted.spec.volumes, [&](const api::Volume& volume) {
        return volume.kind == VolumeKind::PersistentVolumeClaim &&
               std::ranges::any_of(pod.pod->spec.volumes, [&](const api::Volume& own) {
                 return own.kind == volume.kind && own.claim_name == volume.claim_name;
               });
      });
  return shares_claim ? Hint::Queue : Hint::Skip;
}

/// ReadWriteOncePod claims are rare, so there is no index of their users.
int VolumeRestrictions::CountConflicts(const RestrictionState& state) const {
  std::vector<std::string_view> used;
  cluster_.ForEachPod([&](PodId id) {
    const PodRecord& other = cluster_.pod(id);
    if (other.node == kNoNode || !other.pod_class->has_claims) return;
    if (other.pod->metadata.namespace_ != state.pod->metadata.namespace_) return;
    for (const api::Volume& volume : other.pod->spec.volumes) {
      if (volume.kind == VolumeKind::PersistentVolumeClaim) used.push_back(volume.claim_name);
    }
  });
  return static_cast<int>(std::ranges::count_if(
      state.exclusive_claims,
      [&](std::string_view claim) { return std::ranges::find(used, claim) != used.end(); }));
}

PreFilterOutcome VolumeRestrictions::PreFilter(const PodUnderTest& pod) {
  RestrictionState state;
  state.pod = &pod.pod;
  for (const api::Volume& volume : pod.pod.spec.volumes) {
    state.has_disks = state.has_disks || IsRestricted(volume);
    if (volume.kind != VolumeKind::PersistentVolumeClaim) continue;
    const ObjectPtr claim = cluster_.claims.Find(pod.pod.metadata.namespace_, volume.claim_name);
    if (claim == nullptr) {
      return {Verdict::Of(Code::UnschedulableAndUnresolvable,
                          NotFoundText("persistentvolumeclaim", volume.claim_name)),
              nullptr,
              {}};
    }
    const auto& modes = claim->As<api::PersistentVolumeClaim>()->spec.access_modes;
    const bool is_exclusive = std::ranges::find(modes, "ReadWriteOncePod") != modes.end();
    const bool is_known = std::ranges::find(state.exclusive_claims, volume.claim_name) !=
                          state.exclusive_claims.end();
    if (is_exclusive && !is_known) state.exclusive_claims.push_back(volume.claim_name);
  }
  if (!state.exclusive_claims.empty()) state.conflicts = CountConflicts(state);
  if (!state.has_disks && state.conflicts == 0) return {Verdict::Skip(), nullptr, {}};
  return {{}, std::make_shared<RestrictionState>(std::move(state)), {}};
}

Verdict VolumeRestrictions::Judge(const PluginState* state, const NodeView& node) const {
  const auto& restrictions = *static_cast<const RestrictionState*>(state);
  if (restrictions.has_disks && std::ranges::any_of(node.row.pods, [&](PodId id) {
        return DisksConflict(*restrictions.pod, *cluster_.pod(id).pod);
      })) {
    return Verdict::Of(Code::Unschedulable, "node(s) had no available disk");
  }
  if (restrictions.conflicts > 0) {
    return Verdict::Of(Code::Unschedulable,
                       "node has pod using PersistentVolumeClaim with the same name and "
                       "ReadWriteOncePod access mode");
  }
  return {};
}

Verdict VolumeRestrictions::Filter(const PluginState* state, Bitmap& nodes) const {
  if (static_cast<const RestrictionState*>(state)->conflicts > 0) {
    nodes.Fill(false);
  } else {
    FilterNodes(cluster_, nodes, [&](const NodeView& node) { return Judge(state, node).ok(); });
  }
  return {};
}

void VolumeRestrictions::AddPod(PluginState* state, PodId pod, const NodeView& /*node*/) const {
  auto& restrictions = *static_cast<RestrictionState*>(state);
  restrictions.conflicts += restrictions.UsesBy(*cluster_.pod(pod).pod);
}

void VolumeRestrictions::RemovePod(PluginState* state, PodId pod, const NodeView& /*node*/) const {
  auto& restrictions = *static_cast<RestrictionState*>(state);
  restrictions.conflicts -= restrictions.UsesBy(*cluster_.pod(pod).pod);
}

}  // namespace

std::unique_ptr<Plugin> MakeVolumeRestrictions(ClusterState& cluster, const PluginArgs& /*args*/) {
  return CreatePlugin<VolumeRestrictions>(cluster);
}

}  // namespace plimsoll::scheduler
