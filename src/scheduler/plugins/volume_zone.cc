#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/go_text.h"
#include "base/text/trim.h"
#include "match/volume_claim.h"
#include "scheduler/plugins/factories.h"
#include "scheduler/volume/node_condition.h"
#include "scheduler/volume/pod_claims.h"

namespace plimsoll::scheduler {
namespace {

constexpr std::string_view kBetaZone = "failure-domain.beta.kubernetes.io/zone";
constexpr std::string_view kBetaRegion = "failure-domain.beta.kubernetes.io/region";
constexpr std::string_view kZone = "topology.kubernetes.io/zone";
constexpr std::string_view kRegion = "topology.kubernetes.io/region";
constexpr std::array kTopologyKeys{kBetaZone, kBetaRegion, kZone, kRegion};

std::string_view NewNameOf(std::string_view key) {
  if (key == kBetaZone) return kZone;
  if (key == kBetaRegion) return kRegion;
  return key;
}

/// A label of a volume that a node must have with one of the values.
struct VolumeTopology {
  std::string_view key;
  std::vector<std::string_view> values;

  friend bool operator==(const VolumeTopology&, const VolumeTopology&) = default;
};

/// Splits `a__b` into two zones. Returns none if a part is empty: the label is then ignored.
std::vector<std::string_view> SplitZones(std::string_view text) {
  constexpr std::string_view kSeparator = "__";
  std::vector<std::string_view> zones;
  for (;;) {
    const std::size_t end = text.find(kSeparator);
    const std::string_view zone = TrimSpaces(text.substr(0, end));
    if (zone.empty()) return {};
    zones.push_back(zone);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + kSeparator.size());
  }
  std::ranges::sort(zones);
  const auto repeated = std::ranges::unique(zones);
  zones.erase(repeated.begin(), repeated.end());
  return zones;
}

std::vector<VolumeTopology> TopologiesOf(const api::Object& volume) {
  std::vector<VolumeTopology> topologies;
  for (const std::string_view key : kTopologyKeys) {
    const auto label = volume.metadata().labels.Find(key);
    if (!label) continue;
    std::vector<std::string_view> zones = SplitZones(*label);
    if (!zones.empty()) topologies.push_back({key, std::move(zones)});
  }
  return topologies;
}

struct ZoneState final : PluginState {
  std::vector<ObjectPtr> volumes;  // own the texts of the topologies
  std::vector<VolumeTopology> topologies;
};

/// Restricts a pod to the zone and region in the labels of its bound volumes.
class VolumeZone final : public Plugin,
                         public EnqueueExtensions,
                         public PreFilterPlugin,
                         public FilterPlugin {
 public:
  explicit VolumeZone(ClusterState& cluster) : Plugin(cluster) {}

  std::string_view name() const override { return "VolumeZone"; }

  std::vector<EventInterest> Interests() const override {
    return {{EventResource::StorageClass, kAdd},
            {EventResource::Node, kAdd | kUpdateNodeLabel},
            {EventResource::PersistentVolumeClaim, kAdd | kUpdate},
            {EventResource::PersistentVolume, kAdd | kUpdate}};
  }
  Hint HintFor(const PodRecord& pod, const ClusterEvent& event) const override;

  PreFilterOutcome PreFilter(const PodUnderTest& pod) override;
  Verdict Judge(const PluginState* state, const NodeView& node) const override;
  Verdict Filter(const PluginState* state, Bitmap& nodes) const override;

 private:
  /// Adds the volume that the claim is bound to. Adds none for a WaitForFirstConsumer claim.
  Verdict AddVolume(const api::Pod& pod, std::string_view claim_name, ZoneState& state) const;
};

Hint VolumeZone::HintFor(const PodRecord& pod, const ClusterEvent& event) const {
  const auto queue_if = [](bool useful) { return useful ? Hint::Queue : Hint::Skip; };
  if (event.new_object == nullptr) return Hint::Queue;
  switch (event.resource) {
    case EventResource::StorageClass:
      return queue_if(event.new_object->As<api::StorageClass>()->volume_binding_mode ==
                      match::kWaitForFirstConsumer);
    case EventResource::PersistentVolumeClaim:
      return queue_if(UsesClaim(*pod.pod, event.new_object->metadata(), false));
    case EventResource::PersistentVolume:
      return queue_if(event.old_object == nullptr ||
                      TopologiesOf(*event.old_object) != TopologiesOf(*event.new_object));
    default:
      return Hint::Queue;
  }
}

Verdict VolumeZone::AddVolume(const api::Pod& pod, std::string_view claim_name,
                              ZoneState& state) const {
  const auto refuse = [](std::string reason) {
    return Verdict::Of(Code::UnschedulableAndUnresolvable, std::move(reason));
  };
  if (claim_name.empty()) return refuse("PersistentVolumeClaim had no name");
  const ObjectPtr object = cluster_.claims.Find(pod.metadata.namespace_, claim_name);
  if (object == nullptr) return refuse(NotFoundText("persistentvolumeclaim", claim_name));
  const auto& claim = *object->As<api::PersistentVolumeClaim>();
  const std::string_view volume_name = claim.spec.volume_name;
  if (volume_name.empty()) {
    const std::string_view class_name = match::ClassOf(claim);
    if (class_name.empty()) {
      return refuse("PersistentVolumeClaim had no pv name and storageClass name");
    }
    const ObjectPtr found = cluster_.storage_classes.Find({}, class_name);
    if (found == nullptr) return refuse(NotFoundText("storageclass.storage.k8s.io", class_name));
    const auto& mode = found->As<api::StorageClass>()->volume_binding_mode;
    if (!mode) {
      return refuse("VolumeBindingMode not set for StorageClass " + GoQuote(class_name));
    }
    if (*mode == match::kWaitForFirstConsumer) return {};
    return refuse("PersistentVolume had no name");
  }
  ObjectPtr volume = cluster_.volumes.Find({}, volume_name);
  if (volume == nullptr) return refuse(NotFoundText("persistentvolume", volume_name));
  std::ranges::move(TopologiesOf(*volume), std::back_inserter(state.topologies));
  state.volumes.push_back(std::move(volume));
  return {};
}

PreFilterOutcome VolumeZone::PreFilter(const PodUnderTest& pod) {
  if (!pod.pod_class.has_claims) return {Verdict::Skip(), nullptr, {}};
  auto state = std::make_shared<ZoneState>();
  for (const api::Volume& volume : pod.pod.spec.volumes) {
    if (volume.kind != api::VolumeKind::PersistentVolumeClaim) continue;
    Verdict verdict = AddVolume(pod.pod, volume.claim_name, *state);
    if (!verdict.ok()) return {std::move(verdict), nullptr, {}};
  }
  if (state->topologies.empty()) return {Verdict::Skip(), nullptr, {}};
  return {{}, std::move(state), {}};
}

Verdict VolumeZone::Judge(const PluginState* state, const NodeView& node) const {
  const match::MatchIndex& index = cluster_.index();
  const auto label = [&](std::string_view key) { return index.Label(node.slot, key); };
  // A node without any such label belongs to a cluster without zones.
  const bool has_topology = std::ranges::any_of(
      kTopologyKeys, [&](std::string_view key) { return label(key).has_value(); });
  if (!has_topology) return {};
  for (const auto& [key, values] : static_cast<const ZoneState*>(state)->topologies) {
    std::optional<std::string_view> value = label(key);
    if (!value) value = label(NewNameOf(key));
    if (!value || std::ranges::find(values, *value) == values.end()) {
      return Verdict::Of(Code::UnschedulableAndUnresolvable,
                         "node(s) had no available volume zone");
    }
  }
  return {};
}

Verdict VolumeZone::Filter(const PluginState* state, Bitmap& nodes) const {
  const auto absent = [](std::string_view key) {
    return api::NodeSelectorRequirement{.key = key, .op = "DoesNotExist", .values = {}};
  };
  api::NodeSelectorTerm no_topology;
  for (const std::string_view key : kTopologyKeys) {
    no_topology.match_expressions.push_back(absent(key));
  }
  for (const auto& [key, values] : static_cast<const ZoneState*>(state)->topologies) {
    api::NodeSelector selector{{no_topology, {{{.key = key, .op = "In", .values = values}}, {}}}};
    const std::string_view new_name = NewNameOf(key);
    if (new_name != key) {
      selector.terms.push_back(
          {{absent(key), {.key = new_name, .op = "In", .values = values}}, {}});
    }
    NodeCondition::Of(std::move(selector)).FilterNodes(cluster_.index(), nodes);
  }
  return {};
}

}  // namespace

std::unique_ptr<Plugin> MakeVolumeZone(ClusterState& cluster, const PluginArgs& /*args*/) {
  return CreatePlugin<VolumeZone>(cluster);
}

}  // namespace plimsoll::scheduler
