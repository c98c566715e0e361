#include <algorithm>
#include <string>
#include <utility>

#include "api/validation/resource_names.h"
#include "scheduler/dra/extended_resources.h"
#include "scheduler/plugins/factories.h"
#include "scheduler/plugins/resource_score.h"

namespace plimsoll::scheduler {
namespace {

/// Free amounts that the pod needs. 0 if it does not request the resource.
struct FitState final : PluginState {
  std::int64_t milli_cpu = 0;
  std::int64_t memory = 0;
  std::int64_t ephemeral_storage = 0;
  std::vector<ScalarAmount> scalars;  // without zero amounts and resources that the profile ignores
  std::vector<ResourceId> devices;    // subset that devices may provide
};

/// Returns true if devices provide the resource, not the node. DynamicResources checks those.
bool IsDevices(const FitState& needs, const NodeRow& row, ResourceId resource) {
  return std::ranges::find(needs.devices, resource) != needs.devices.end() &&
         !NodeProvides(row.allocatable, resource);
}

const FitState& NeedsOf(const PluginState* state) { return static_cast<const FitState&>(*state); }

struct StrategyState final : PluginState {
  explicit StrategyState(std::vector<ScoredResource> scored) : resources(std::move(scored)) {}

  std::vector<ScoredResource> resources;
};

bool IsShort(std::int64_t wanted, std::int64_t allocatable, std::int64_t requested) {
  return wanted > 0 && wanted > allocatable - requested;
}

bool HasScalars(const FitState& needs, const NodeRow& row) {
  return std::ranges::none_of(needs.scalars, [&](const ScalarAmount& one) {
    return !IsDevices(needs, row, one.id) &&
           IsShort(one.amount, row.allocatable.resources.scalar(one.id),
                   row.requested.scalar(one.id));
  });
}

bool HasTooManyPods(const NodeRow& row) {
  return static_cast<std::int64_t>(row.pods.size()) >= row.allocatable.pods;
}

bool Fits(const FitState& needs, const NodeRow& row) {
  const Resources& has = row.allocatable.resources;
  const Resources& taken = row.requested;
  return !HasTooManyPods(row) && !IsShort(needs.milli_cpu, has.milli_cpu, taken.milli_cpu) &&
         !IsShort(needs.memory, has.memory, taken.memory) &&
         !IsShort(needs.ephemeral_storage, has.ephemeral_storage, taken.ephemeral_storage) &&
         (needs.scalars.empty() || HasScalars(needs, row));
}

// Indexes of the resources that a node may lack: these three, then the pod's scalars.
constexpr std::size_t kCpu = 0;
constexpr std::size_t kMemory = 1;
constexpr std::size_t kEphemeralStorage = 2;
constexpr std::size_t kScalars = 3;

/// Calls `is_short_of(place)` for every resource of which the node has too little left. Returns
/// true if even the empty node has too little of one.
template <class IsShortOf>
bool ForEachShort(const FitState& needs, const NodeRow& row, const IsShortOf& is_short_of) {
  const Resources& has = row.allocatable.resources;
  const Resources& taken = row.requested;
  bool is_beyond_all = false;
  const auto check = [&](std::size_t place, std::int64_t wanted, std::int64_t allocatable,
                         std::int64_t requested) {
    if (!IsShort(wanted, allocatable, requested)) return;
    is_short_of(place);
    is_beyond_all |= wanted > allocatable;
  };
  check(kCpu, needs.milli_cpu, has.milli_cpu, taken.milli_cpu);
  check(kMemory, needs.memory, has.memory, taken.memory);
  check(kEphemeralStorage, needs.ephemeral_storage, has.ephemeral_storage, taken.ephemeral_storage);
  for (std::size_t i = 0; i < needs.scalars.size(); ++i) {
    const ScalarAmount& one = needs.scalars[i];
    if (IsDevices(needs, row, one.id)) continue;
    check(kScalars + i, one.amount, has.scalar(one.id), taken.scalar(one.id));
  }
  return is_beyond_all;
}

/// Returns true if `after` has more than `before` of a needed resource.
bool HasMore(const FitState& needs, const Resources& before, const Resources& after) {
  const auto grows = [](std::int64_t wanted, std::int64_t old_amount, std::int64_t new_amount) {
    return wanted > 0 && new_amount > old_amount;
  };
  return grows(needs.milli_cpu, before.milli_cpu, after.milli_cpu) ||
         grows(needs.memory, before.memory, after.memory) ||
         grows(needs.ephemeral_storage, before.ephemeral_storage, after.ephemeral_storage) ||
         std::ranges::any_of(needs.scalars, [&](const ScalarAmount& one) {
           return grows(one.amount, before.scalar(one.id), after.scalar(one.id));
         });
}

/// Refuses nodes without enough free resources for the pod. Scores nodes by their utilization, with
/// the profile's strategy.
class NodeResourcesFit final : public Plugin,
                               public ClassEnqueueExtensions,
                               public ClassPreFilterPlugin,
                               public FilterPlugin,
                               public PreScorePlugin,
                               public ScorePlugin,
                               public NodeScopedPlugin {
 public:
  NodeResourcesFit(ClusterState& cluster, const NodeResourcesFitArgs& args)
      : Plugin(cluster), args_(args) {
    // Profiles use scores of 0 … 10.
    for (ShapePoint& point : args_.shape) point.score *= 10;
  }

  std::string_view name() const override { return "NodeResourcesFit"; }

  std::vector<EventInterest> Interests() const override {
    return {{EventResource::AssignedPod, kDelete | kUpdatePodScaleDown},
            {EventResource::TargetPod, kUpdatePodScaleDown},
            {EventResource::Node, kAdd | kUpdateNodeAllocatable},
            {EventResource::DeviceClass, kAdd | kUpdate}};
  }

  Hint HintForClass(const PodClass& pod, const ClusterEvent& event) const override {
    const FitState needs = Needs(pod);
    return MayHelp(needs, event) ? Hint::Queue : Hint::Skip;
  }

  Changes depends_on() const override { return kAllocatable | kPods; }
  std::uint64_t SharedVersion() const override { return cluster_.devices().classes_version(); }

  PreFilterOutcome PreFilterClass(const PodClass& pod) override {
    return {.verdict = {}, .state = std::make_shared<FitState>(Needs(pod)), .nodes = {}};
  }

  bool Accepts(const PluginState* state, const NodeView& node) const override {
    return Fits(NeedsOf(state), node.row);
  }

  Verdict Judge(const PluginState* state, const NodeView& node) const override {
    const FitState& needs = NeedsOf(state);
    Verdict verdict;
    if (HasTooManyPods(node.row)) verdict.reasons.emplace_back("Too many pods");
    const bool is_beyond_all = ForEachShort(needs, node.row, [&](std::size_t place) {
      verdict.reasons.push_back("Insufficient " + std::string(NameAt(needs, place)));
    });
    if (!verdict.reasons.empty()) {
      verdict.code = is_beyond_all ? Code::UnschedulableAndUnresolvable : Code::Unschedulable;
    }
    return verdict;
  }

  /// One bit for each reason.
  std::optional<std::uint32_t> RefusalGroup(const PluginState* state,
                                            const NodeView& node) const override {
    constexpr std::size_t kOtherBits = 2;
    const FitState& needs = NeedsOf(state);
    if (kOtherBits + kScalars + needs.scalars.size() > 32) return std::nullopt;
    std::uint32_t group = HasTooManyPods(node.row) ? 1 : 0;
    const bool is_beyond_all = ForEachShort(
        needs, node.row, [&](std::size_t place) { group |= 1U << (kOtherBits + place); });
    return group | (is_beyond_all ? 2U : 0U);
  }

  Verdict Filter(const PluginState* state, Bitmap& nodes) const override {
    const FitState& needs = NeedsOf(state);
    FilterNodes(cluster_, nodes, [&](const NodeView& node) { return Fits(needs, node.row); });
    return {};
  }

  PreScoreOutcome PreScore(const PodClass& pod, const PluginState* /*filter_state*/,
                           const Bitmap& /*feasible*/) override {
    return {.verdict = {},
            .state = std::make_shared<StrategyState>(
                StandInResources(args_.resources, pod.requests, cluster_))};
  }

  std::int64_t ScoreOf(const PluginState* state, const NodeView& node) const override {
    const std::vector<ScoredResource>& resources =
        static_cast<const StrategyState&>(*state).resources;
    switch (args_.strategy) {
      case FitStrategy::LeastAllocated:
        return ScoreLeastAllocated(resources, node.row);
      case FitStrategy::MostAllocated:
        return ScoreMostAllocated(resources, node.row);
      case FitStrategy::RequestedToCapacityRatio:
        return ScoreCapacityRatio(resources, node.row, args_.shape);
    }
    return 0;
  }

  void Score(const PluginState* state, const Bitmap& nodes,
             std::span<std::int64_t> scores) const override {
    ScoreNodes(cluster_, nodes, scores, [&](const NodeView& node) { return ScoreOf(state, node); });
  }

 private:
  std::string_view NameAt(const FitState& needs, std::size_t place) const {
    constexpr std::string_view kNames[] = {"cpu", "memory", "ephemeral-storage"};
    return place < kScalars ? kNames[place]
                            : cluster_.resource_name(needs.scalars[place - kScalars].id);
  }

  FitState Needs(const PodClass& pod_class) const {
    const Resources& exact = pod_class.requests.exact;
    FitState needs;
    needs.milli_cpu = exact.milli_cpu;
    needs.memory = exact.memory;
    needs.ephemeral_storage = exact.ephemeral_storage;
    for (const ScalarAmount& one : exact.scalars) {
      if (one.amount != 0 && !IsIgnored(cluster_.resource_name(one.id))) {
        needs.scalars.push_back(one);
        const std::string_view device_class =
            cluster_.devices().ClassOf(cluster_.resource_name(one.id));
        if (!device_class.empty()) needs.devices.push_back(one.id);
      }
    }
    return needs;
  }

  bool IsIgnored(std::string_view resource) const {
    if (!api::IsExtendedResource(resource)) return false;
    const std::string_view group = resource.substr(0, resource.find('/'));
    return std::ranges::find(args_.ignored_resources, resource) != args_.ignored_resources.end() ||
           std::ranges::find(args_.ignored_resource_groups, group) !=
               args_.ignored_resource_groups.end();
  }

  bool MayHelp(const FitState& needs, const ClusterEvent& event) const {
    if (event.resource == EventResource::DeviceClass) return !needs.devices.empty();
    if (event.resource == EventResource::Node) {
      NodeRow empty;
      empty.allocatable = cluster_.AllocatableOf(*event.new_object->As<api::Node>());
      if (!Fits(needs, empty)) return false;
      if (event.old_object == nullptr) return true;
      const Allocatable before = cluster_.AllocatableOf(*event.old_object->As<api::Node>());
      return empty.allocatable.pods > before.pods ||
             HasMore(needs, before.resources, empty.allocatable.resources);
    }
    // A deleted pod frees at least its place in the node's pod limit.
    if (event.new_object == nullptr) return true;
    return HasMore(needs, cluster_.ClassOf(event.new_object)->requests.exact,
                   cluster_.ClassOf(event.old_object)->requests.exact);
  }

  NodeResourcesFitArgs args_;
};

}  // namespace

std::unique_ptr<Plugin> MakeNodeResourcesFit(ClusterState& cluster, const PluginArgs& args) {
  return CreatePlugin<NodeResourcesFit>(cluster, args.fit);
}

}  // namespace plimsoll::scheduler
