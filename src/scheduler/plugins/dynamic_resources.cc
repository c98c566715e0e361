#include "scheduler/plugins/dynamic_resources.h"

#include <algorithm>
#include <string>
#include <utility>

#include "api/extension/extension.h"
#include "scheduler/dra/allocated_claim.h"
#include "scheduler/dra/pod_devices.h"
#include "scheduler/limits.h"
#include "scheduler/plugins/factories.h"

namespace plimsoll::scheduler {
namespace {

Verdict Unresolvable(std::string reason) {
  return Verdict::Of(Code::UnschedulableAndUnresolvable, std::move(reason));
}

struct ScoreState final : PluginState {
  explicit ScoreState(const ClaimsState& found) : claims(found) {}
  const ClaimsState& claims;  // PreFilter's state, which lives longer
};

bool HasSameStatus(const api::Object& a, const api::Object& b) {
  const codec::Value* const x = a.tree().Find("status");
  const codec::Value* const y = b.tree().Find("status");
  return x == nullptr || y == nullptr ? x == y : *x == *y;
}

/// Returns true if nodes may get different scores.
bool HasAlternatives(const ClaimsState& state) {
  return std::ranges::any_of(state.wanted, [](const ObjectPtr& claim) {
    return std::ranges::any_of(
        claim->As<api::ResourceClaim>()->spec.requests,
        [](const api::DeviceRequest& request) { return !request.first_available.empty(); });
  });
}

}  // namespace

// Queueing.

Verdict DynamicResources::PreEnqueue(const api::Object& pod) const {
  if (pod.As<api::Pod>()->spec.resource_claims.empty()) return {};
  const auto claims = FindDeviceClaims(devices(), pod);
  return claims ? Verdict() : Unresolvable(claims.error().message);
}

std::vector<EventInterest> DynamicResources::Interests() const {
  return {{EventResource::Node, kAdd | kUpdateNodeLabel | kUpdateNodeAllocatable},
          {EventResource::ResourceClaim, kAdd | kUpdate | kDelete},
          {EventResource::TargetPod, kUpdatePodGeneratedClaim},
          {EventResource::DeviceClass, kAdd | kUpdate},
          {EventResource::ResourceSlice, kAdd | kUpdate}};
}

Hint DynamicResources::HintFor(const PodRecord& pod, const ClusterEvent& event) const {
  if (event.resource == EventResource::TargetPod) {
    return PreEnqueue(*pod.object).ok() ? Hint::Queue : Hint::Skip;
  }
  if (event.resource != EventResource::ResourceClaim) return Hint::Queue;
  const auto claims = FindDeviceClaims(devices(), *pod.object);
  if (!claims) return Hint::Skip;  // another claim of the pod is missing
  const auto is_allocated = [](const ObjectPtr& claim) {
    return claim != nullptr && claim->As<api::ResourceClaim>()->allocation.has_value();
  };
  if (is_allocated(event.old_object) && !is_allocated(event.new_object)) return Hint::Queue;
  if (event.new_object == nullptr) return Hint::Skip;
  const std::string_view uid = event.new_object->metadata().uid;
  const bool is_own = std::ranges::any_of(
      *claims, [&](const ObjectPtr& claim) { return claim->metadata().uid == uid; });
  if (!is_own) return Hint::Skip;
  if (event.old_object == nullptr) return Hint::Queue;
  // Annotations may stand for fields (api/extension).
  if (event.old_object->metadata().annotations != event.new_object->metadata().annotations) {
    return Hint::Queue;
  }
  // Usually only a finalizer was added.
  return HasSameStatus(*event.old_object, *event.new_object) ? Hint::Skip : Hint::Queue;
}

// Filtering.

Verdict DynamicResources::CheckRequests(const api::ResourceClaim& claim) const {
  const auto check = [&](std::string_view device_class, std::string_view request,
                         std::string_view sub) -> Verdict {
    std::string text = "request ";
    text.append(request).append(sub.empty() ? "" : "/").append(sub);
    if (device_class.empty()) return Unresolvable(text += ": unsupported request type");
    if (devices().classes().Find({}, device_class) != nullptr) return {};
    text.append(": device class ").append(device_class).append(" does not exist");
    return Unresolvable(std::move(text));
  };
  for (const api::DeviceRequest& request : claim.spec.requests) {
    if (request.exactly || request.first_available.empty()) {
      const std::string_view device_class =
          request.exactly ? request.exactly->device_class_name : std::string_view();
      if (Verdict verdict = check(device_class, request.name, {}); !verdict.ok()) return verdict;
    }
    for (const api::DeviceRequestDetails& sub : request.first_available) {
      Verdict verdict = check(sub.device_class_name, request.name, sub.name);
      if (!verdict.ok()) return verdict;
    }
  }
  return {};
}

Verdict DynamicResources::AddClaim(ObjectPtr object, std::string_view pod_uid,
                                   ClaimsState& state) const {
  const auto& claim = *object->As<api::ResourceClaim>();
  if (const std::string_view fault = api::FaultOf(*object); !fault.empty()) {
    std::string text = "resourceclaim ";
    text.append(claim.metadata.name).append(" has invalid annotations: ").append(fault);
    return Unresolvable(std::move(text));
  }
  if (claim.allocation) {
    if (claim.reserved_for.size() >= kClaimConsumersMax && !IsReservedFor(claim, pod_uid)) {
      return Unresolvable("resourceclaim in use");
    }
    auto allocated = AllocatedClaim::Make(cluster_, std::move(object), pod_uid);
    if (!allocated) return Verdict::Of(Code::Error, allocated.error().message);
    state.allocated.push_back(std::move(*allocated));
    return {};
  }
  if (devices().IsPending(claim.metadata.uid)) {
    std::string text = "resource claim ";
    text.append(claim.metadata.namespace_).append("/").append(claim.metadata.name);
    return Unresolvable(text += " is in the process of being allocated");
  }
  Verdict verdict = CheckRequests(claim);
  if (verdict.ok()) state.wanted.push_back(std::move(object));
  return verdict;
}

PreFilterOutcome DynamicResources::PreFilter(const PodUnderTest& pod) {
  const bool may_be_extended = !pod.pod_class.requests.exact.scalars.empty();
  if (pod.pod.spec.resource_claims.empty() && !may_be_extended) {
    return {Verdict::Skip(), nullptr, {}};
  }
  const Result<std::vector<ObjectPtr>> claims =
      pod.id == kNoPod ? FindDeviceClaims(devices(), pod.pod)
                       : FindDeviceClaims(devices(), *cluster_.pod(pod.id).object);
  if (!claims) return {Unresolvable(claims.error().message), nullptr, {}};
  auto state = std::make_shared<ClaimsState>();
  if (may_be_extended) state->extended = FindExtendedRequests(cluster_, pod.pod);
  if (claims->empty() && state->extended.empty()) return {Verdict::Skip(), nullptr, {}};
  for (const ObjectPtr& claim : *claims) {
    Verdict verdict = AddClaim(claim, pod.pod.metadata.uid, *state);
    if (!verdict.ok()) return {std::move(verdict), nullptr, {}};
  }
  if (!state->extended.empty()) {
    state->pod = &pod.pod.metadata;
    state->leftover = FindExtendedClaim(devices(), pod.pod.metadata);
  }
  if (!state->wanted.empty() || !state->extended.empty()) {
    devices().FollowNodes(cluster_);
    allocator().BeginAttempt(devices().now(), args_.filter_timeout);
  }
  return {{}, std::move(state), {}};
}

bool DynamicResources::IsAvailable(const ClaimsState& state, NodeSlot node) const {
  return std::ranges::all_of(state.allocated, [&](const AllocatedClaim& claim) {
    return claim.IsAvailable(cluster_, node);
  });
}

bool DynamicResources::IsAllocatable(const ClaimsState& state, NodeSlot node) const {
  const dra::ClaimSet& set = SetAt(state, node);
  return set.empty() || allocator().CheckNode(set, node) == dra::Allocator::Answer::Possible;
}

bool DynamicResources::Accepts(const PluginState* state, const NodeView& node) const {
  const ClaimsState& claims = Of(state);
  return claims.leftover == nullptr && IsAllocatable(claims, node.slot) &&
         IsAvailable(claims, node.slot);
}

Verdict DynamicResources::Filter(const PluginState* state, Bitmap& nodes) const {
  const ClaimsState& claims = Of(state);
  if (claims.leftover != nullptr) nodes.Fill(false);
  claims.FilterNodes(cluster_, nodes);
  for (const AllocatedClaim& claim : claims.allocated) claim.FilterNodes(cluster_, nodes);
  return claims.fault ? Judge(state, cluster_.view(*claims.fault)) : Verdict();
}

// Scoring.

PreScoreOutcome DynamicResources::BeginScore(const PodClass& /*pod*/,
                                             const PluginState* filter_state) {
  if (filter_state == nullptr || !HasAlternatives(Of(filter_state))) {
    return {.is_flat = true};  // upstream does not skip here
  }
  return {{}, std::make_shared<ScoreState>(Of(filter_state))};
}

std::int64_t DynamicResources::ScoreOf(const PluginState* state, const NodeView& node) const {
  if (state == nullptr) return 0;
  const ClaimsState& claims = static_cast<const ScoreState*>(state)->claims;
  return allocator().Score(SetAt(claims, node.slot), node.slot);
}

void DynamicResources::Score(const PluginState* state, const Bitmap& nodes,
                             std::span<std::int64_t> scores) const {
  ScoreNodes(cluster_, nodes, scores, [&](const NodeView& node) { return ScoreOf(state, node); });
}

std::unique_ptr<Plugin> MakeDynamicResources(ClusterState& cluster, const PluginArgs& args) {
  return CreatePlugin<DynamicResources>(cluster, args.dynamic_resources, args.names_taints);
}

}  // namespace plimsoll::scheduler
