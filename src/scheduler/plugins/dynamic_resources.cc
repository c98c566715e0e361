#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "base/go_text.h"
#include "codec/json.h"
#include "dra/device_diagnosis.h"
#include "match/diagnosis.h"
#include "scheduler/dra/allocated_claim.h"
#include "scheduler/dra/claim_reservation.h"
#include "scheduler/dra/claims_state.h"
#include "scheduler/dra/pod_devices.h"
#include "scheduler/framework/framework.h"
#include "scheduler/plugins/factories.h"

namespace plimsoll::scheduler {
namespace {

constexpr std::size_t kConsumersMax = 256;
constexpr std::string_view kUnavailable = "resourceclaim not available on the node";
constexpr std::string_view kUnallocatable = "cannot allocate all claims";
constexpr std::string_view kLeftover = "cannot schedule extended resource claim";

Verdict Unresolvable(std::string reason) {
  return Verdict::Of(Code::UnschedulableAndUnresolvable, std::move(reason));
}

struct ScoreState final : PluginState {
  explicit ScoreState(const ClaimsState& found) : claims(found) {}
  const ClaimsState& claims;  // what PreFilter made, which lives longer
};

/// Places pods where the devices of their claims are, and allocates devices to claims.
class DynamicResources final : public Plugin {
 public:
  DynamicResources(ClusterState& cluster, bool names_taints)
      : Plugin(cluster), names_taints_(names_taints) {}

  std::string_view name() const override { return "DynamicResources"; }
  ExtensionPoints points() const override {
    return kPreEnqueue | kPreFilter | kFilter | kPostFilter | kScore | kReserve | kPreBind |
           kPostBind;
  }

  Verdict PreEnqueue(const api::Object& pod) const override;
  std::vector<EventInterest> Interests() const override;
  Hint HintFor(const PodRecord& pod, const ClusterEvent& event) const override;

  PreFilterOutcome PreFilter(const PodUnderTest& pod) override;
  bool Accepts(const PluginState* state, const NodeView& node) const override;
  Verdict Judge(const PluginState* state, const NodeView& node) const override;
  std::optional<std::uint32_t> RefusalGroup(const PluginState* state,
                                            const NodeView& node) const override;
  void Filter(const PluginState* state, Bitmap& nodes) const override;
  std::optional<NodeSlot> FilterFault(const PluginState* state) const override {
    return Of(state).fault;
  }
  void Elaborate(const PluginState* state, Diagnosis& diagnosis) const override;
  PostFilterOutcome PostFilter(Framework& framework, const Attempt& attempt,
                               const Diagnosis& diagnosis, Random& random) override;

  Normalization normalization() const override { return Normalization::Highest; }
  PreScoreOutcome PreScore(const PodUnderTest& pod, const PluginState* filter_state,
                           const Bitmap& feasible) override;
  std::int64_t ScoreOf(const PluginState* state, const NodeView& node) const override;

  Verdict Reserve(const PodUnderTest& pod, const PluginState* state, NodeSlot node) override;
  std::vector<ObjectWrite> Unreserve(const PodUnderTest& pod, NodeSlot node) override;
  PreBindOutcome PreBind(const PodUnderTest& pod, NodeSlot node, Instant now) override;
  bool RepeatsWrites(const PodUnderTest& pod, Error& error) override;
  void PostBind(const PodUnderTest& pod, std::string_view node) override;

 private:
  static const ClaimsState& Of(const PluginState* state) {
    return *static_cast<const ClaimsState*>(state);
  }
  Devices& devices() const { return cluster_.devices(); }
  dra::Allocator& allocator() const { return devices().allocator(); }
  const dra::ClaimSet& SetAt(const ClaimsState& state, NodeSlot node) const {
    return state.SetFor(allocator(), cluster_.row(node).allocatable);
  }

  /// What speaks against allocating the claim at all.
  Verdict CheckRequests(const api::ResourceClaim& claim) const;
  Verdict TakeIn(ObjectPtr claim, std::string_view pod_uid, ClaimsState& state) const;
  bool IsAvailable(const ClaimsState& state, NodeSlot node) const;
  bool IsAllocatable(const ClaimsState& state, NodeSlot node) const;
  /// Of a node that the allocator did not find possible.
  Verdict JudgeAllocation(const ClaimsState& state, NodeSlot node) const;
  Verdict JudgeAvailability(const ClaimsState& state, NodeSlot node) const;
  /// The first taint of the node's devices that a request of the pod does not tolerate.
  std::string TaintAt(const ClaimsState& state, NodeSlot node) const;
  /// The claim for what the pod asks for as resources and the node does not have by itself.
  ClaimReservation::Part NewClaim(const PodUnderTest& pod, const ClaimsState& claims,
                                  NodeSlot node) const;

  const bool names_taints_;
  std::map<PodId, ClaimReservation> reservations_;
};

std::string TaintReason(std::string_view taint) {
  return "device(s) had untolerated taint {" + std::string(taint) + "}";
}

// The queue.

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

bool HasSameStatus(const api::Object& a, const api::Object& b) {
  const codec::Value* const x = a.tree().Find("status");
  const codec::Value* const y = b.tree().Find("status");
  return x == nullptr || y == nullptr ? x == y : *x == *y;
}

Hint DynamicResources::HintFor(const PodRecord& pod, const ClusterEvent& event) const {
  if (event.resource == EventResource::TargetPod) {
    return PreEnqueue(*pod.object).ok() ? Hint::Queue : Hint::Skip;
  }
  if (event.resource != EventResource::ResourceClaim) return Hint::Queue;
  const auto claims = FindDeviceClaims(devices(), *pod.object);
  if (!claims) return Hint::Skip;  // the pod waits for another one
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
  // Mostly a finalizer came.
  return HasSameStatus(*event.old_object, *event.new_object) ? Hint::Skip : Hint::Queue;
}

// Which nodes.

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

Verdict DynamicResources::TakeIn(ObjectPtr object, std::string_view pod_uid,
                                 ClaimsState& state) const {
  const auto& claim = *object->As<api::ResourceClaim>();
  if (claim.allocation) {
    if (claim.reserved_for.size() >= kConsumersMax && !IsReservedFor(claim, pod_uid)) {
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
    Verdict verdict = TakeIn(claim, pod.pod.metadata.uid, *state);
    if (!verdict.ok()) return {std::move(verdict), nullptr, {}};
  }
  if (!state->extended.empty()) {
    state->pod = &pod.pod.metadata;
    state->leftover = FindExtendedClaim(devices(), pod.pod.metadata);
  }
  if (!state->wanted.empty() || !state->extended.empty()) devices().FollowNodes(cluster_);
  return {{}, std::move(state), {}};
}

bool DynamicResources::IsAvailable(const ClaimsState& state, NodeSlot node) const {
  return std::ranges::all_of(state.allocated, [&](const AllocatedClaim& claim) {
    return claim.IsAvailable(cluster_, node);
  });
}

bool DynamicResources::IsAllocatable(const ClaimsState& state, NodeSlot node) const {
  const dra::ClaimSet& set = SetAt(state, node);
  return set.empty() || allocator().Ask(set, node) == dra::Allocator::Answer::Possible;
}

bool DynamicResources::Accepts(const PluginState* state, const NodeView& node) const {
  const ClaimsState& claims = Of(state);
  return claims.leftover == nullptr && IsAllocatable(claims, node.slot) &&
         IsAvailable(claims, node.slot);
}

void DynamicResources::Filter(const PluginState* state, Bitmap& nodes) const {
  const ClaimsState& claims = Of(state);
  if (claims.leftover != nullptr) nodes.Fill(false);
  claims.Keep(cluster_, nodes);
  for (const AllocatedClaim& claim : claims.allocated) claim.Keep(cluster_, nodes);
}

Verdict DynamicResources::Judge(const PluginState* state, const NodeView& node) const {
  const ClaimsState& claims = Of(state);
  // What an earlier attempt has left is taken away first.
  if (claims.leftover != nullptr) return Unresolvable(std::string(kLeftover));
  if (!IsAllocatable(claims, node.slot)) return JudgeAllocation(claims, node.slot);
  return JudgeAvailability(claims, node.slot);
}

Verdict DynamicResources::JudgeAllocation(const ClaimsState& state, NodeSlot node) const {
  const dra::Allocator::Outcome outcome =
      allocator().Allocate(SetAt(state, node), node, devices().random());
  if (outcome.answer == dra::Allocator::Answer::Error) {
    if (outcome.timed_out) {
      std::string text = "node ";
      text.append(cluster_.node_name(node)).append(": timed out trying to allocate devices");
      return Verdict::Of(Code::Error, std::move(text));
    }
    return outcome.only_this_node ? Unresolvable(outcome.error)
                                  : Verdict::Of(Code::Error, outcome.error);
  }
  Verdict verdict = Unresolvable(std::string(kUnallocatable));
  if (names_taints_ && devices().HasTaints(cluster_.node_name(node))) {
    if (const std::string taint = TaintAt(state, node); !taint.empty()) {
      verdict.reasons.push_back(TaintReason(taint));
    }
  }
  return verdict;
}

Verdict DynamicResources::JudgeAvailability(const ClaimsState& state, NodeSlot node) const {
  for (const AllocatedClaim& claim : state.allocated) {
    if (claim.IsAvailable(cluster_, node)) continue;
    Verdict verdict = Unresolvable(std::string(kUnavailable));
    if (names_taints_ && !claim.taint().empty()) {
      verdict.reasons.push_back(TaintReason(claim.taint()));
    }
    return verdict;
  }
  return {};
}

std::string DynamicResources::TaintAt(const ClaimsState& state, NodeSlot node) const {
  for (const dra::RequestDiagnosis& request :
       allocator().Diagnose(SetAt(state, node), node).requests) {
    for (const dra::DeviceRefusal& refusal : request.devices) {
      if (refusal.fault != dra::DeviceFault::Tainted || refusal.taint == nullptr) continue;
      std::string text(refusal.taint->taint->key);
      return text.append(": ").append(refusal.taint->taint->value);
    }
  }
  return {};
}

std::optional<std::uint32_t> DynamicResources::RefusalGroup(const PluginState* state,
                                                            const NodeView& node) const {
  const ClaimsState& claims = Of(state);
  constexpr std::uint32_t kPlain = 0;
  if (claims.leftover != nullptr) return kPlain;
  const dra::ClaimSet& set = SetAt(claims, node.slot);
  // With devices free of taints, and no error, all say the same.
  if (set.empty() || (names_taints_ && devices().HasTaints(cluster_.node_name(node.slot))) ||
      allocator().Ask(set, node.slot) != dra::Allocator::Answer::Impossible) {
    return std::nullopt;
  }
  return kPlain;
}

std::string ReasonOf(const dra::DeviceRefusal& refusal) {
  if (refusal.fault == dra::DeviceFault::Tainted && refusal.taint != nullptr) {
    return ToText(match::TaintDiagnosis{
        .taint = refusal.taint->taint, .blocks = true, .nearest = refusal.nearest});
  }
  std::string text(ToText(refusal.fault));
  return refusal.detail.empty() ? text : text.append(": ").append(refusal.detail);
}

void DynamicResources::Elaborate(const PluginState* state, Diagnosis& diagnosis) const {
  constexpr std::size_t kDevicesMax = 100;
  const auto add = [&](NodeSlot node) {
    const dra::Diagnosis found = allocator().Diagnose(SetAt(Of(state), node), node);
    for (const dra::RequestDiagnosis& request : found.requests) {
      for (const dra::DeviceRefusal& refusal : request.devices) {
        if (refusal.fault == dra::DeviceFault::None) continue;
        if (diagnosis.devices.size() == kDevicesMax) return;
        const api::ResourceSlice& slice = *refusal.device->slice->view;
        std::string device(slice.driver);
        device.append("/").append(slice.pool.name).append("/").append(refusal.device->device->name);
        diagnosis.devices.push_back({.node = std::string(cluster_.node_name(node)),
                                     .claim = request.claim,
                                     .request = request.request,
                                     .device = std::move(device),
                                     .reason = ReasonOf(refusal)});
      }
    }
  };
  for (const Diagnosis::Refusal& refusal : diagnosis.refusals) {
    if (refusal.verdict.plugin != name() || refusal.verdict.reasons.front() != kUnallocatable) {
      continue;
    }
    refusal.which.ForEach([&](std::size_t i) {
      if (diagnosis.devices.size() < kDevicesMax) add(static_cast<NodeSlot>(i));
    });
  }
}

/// Gives back the devices of a claim that nobody else uses, when they keep the pod from a node.
PostFilterOutcome DynamicResources::PostFilter(Framework& framework, const Attempt& attempt,
                                               const Diagnosis& diagnosis, Random& /*random*/) {
  PostFilterOutcome outcome;
  outcome.verdict.code = Code::Unschedulable;
  const bool was_asked = attempt.pre_filter.ok() || attempt.pre_filter.plugin == name() ||
                         std::ranges::find(attempt.skipped, name()) != attempt.skipped.end();
  if (!was_asked) {
    // Upstream looks for what PreFilter left, which another plugin had ended before.
    outcome.verdict = Verdict::Of(Code::Error, "not found");
    return outcome;
  }
  const auto place = std::ranges::find_if(
      framework.plugins(), [&](const EnabledPlugin& one) { return one.plugin.get() == this; });
  const auto* const state = static_cast<const ClaimsState*>(
      attempt.filter_states[static_cast<std::size_t>(place - framework.plugins().begin())].get());
  if (state == nullptr) return outcome;
  if (state->leftover != nullptr) {
    outcome.writes = DeletionOf(state->leftover);
    outcome.verdict.reasons.emplace_back("deletion of ResourceClaim completed");
    return outcome;
  }
  const std::string_view pod_uid = attempt.pod.pod.metadata.uid;
  for (const Diagnosis::Refusal& refusal : diagnosis.refusals) {
    if (refusal.verdict.plugin != name() || refusal.verdict.reasons.front() != kUnavailable) {
      continue;
    }
    for (const AllocatedClaim& claim : state->allocated) {
      bool is_unavailable = false;
      refusal.which.ForEach([&](std::size_t i) {
        is_unavailable = is_unavailable || !claim.IsAvailable(cluster_, static_cast<NodeSlot>(i));
      });
      if (!is_unavailable || !claim.IsFreeFor(pod_uid)) continue;
      const api::ObjectMeta& of = claim.object()->metadata();
      outcome.writes.push_back({.object = claim.object(),
                                .body = R"({"metadata":{"uid":)" + GoJsonQuote(of.uid) +
                                        R"(,"resourceVersion":)" +
                                        GoJsonQuote(of.resource_version) +
                                        R"(},"status":{"allocation":null,"reservedFor":null}})",
                                .kind = WriteKind::MergePatch,
                                .subresource = "status"});
      outcome.verdict.reasons.emplace_back("deallocation of ResourceClaim completed");
      return outcome;
    }
  }
  return outcome;
}

// Which of them is best.

/// Whether nodes differ in Score.
bool HasAlternatives(const ClaimsState& state) {
  return std::ranges::any_of(state.wanted, [](const ObjectPtr& claim) {
    return std::ranges::any_of(
        claim->As<api::ResourceClaim>()->spec.requests,
        [](const api::DeviceRequest& request) { return !request.first_available.empty(); });
  });
}

PreScoreOutcome DynamicResources::PreScore(const PodUnderTest& /*pod*/,
                                           const PluginState* filter_state,
                                           const Bitmap& /*feasible*/) {
  if (filter_state == nullptr || !HasAlternatives(Of(filter_state))) {
    return {.is_flat = true};  // not a Skip, as upstream has it
  }
  return {{}, std::make_shared<ScoreState>(Of(filter_state))};
}

std::int64_t DynamicResources::ScoreOf(const PluginState* state, const NodeView& node) const {
  if (state == nullptr) return 0;
  const ClaimsState& claims = static_cast<const ScoreState*>(state)->claims;
  return allocator().Score(SetAt(claims, node.slot), node.slot);
}

// To the node.

ClaimReservation::Part DynamicResources::NewClaim(const PodUnderTest& pod,
                                                  const ClaimsState& claims, NodeSlot node) const {
  const api::ObjectMeta& of = pod.pod.metadata;
  const std::string claim = ExtendedClaimName(of, devices().random());
  const std::vector<ExtendedRequest> requests = claims.ExtendedOn(cluster_.row(node).allocatable);
  ClaimReservation::Part part{
      .claim = MakeExtendedClaim(of, claim, claims.ExtendedUid(), requests),
      .allocation = {},
      .create = codec::WriteJson(MakeExtendedClaim(of, claim, {}, requests)->tree())};
  part.then.push_back({.object = cluster_.pod(pod.id).object,
                       .body = ExtendedStatusPatch(of, claim, requests),
                       .kind = WriteKind::StrategicPatch,
                       .subresource = "status"});
  return part;
}

Verdict DynamicResources::Reserve(const PodUnderTest& pod, const PluginState* state,
                                  NodeSlot node) {
  if (state == nullptr) return {};
  const ClaimsState& claims = Of(state);
  std::vector<ClaimReservation::Part> parts;
  if (const dra::ClaimSet& set = SetAt(claims, node); !set.empty()) {
    dra::Allocator::Outcome outcome = allocator().Allocate(set, node, devices().random());
    if (outcome.answer != dra::Allocator::Answer::Possible) return JudgeAllocation(claims, node);
    for (std::size_t i = 0; i < outcome.allocations.size(); ++i) {
      const bool is_new = i >= claims.wanted.size();
      parts.push_back(is_new ? NewClaim(pod, claims, node)
                             : ClaimReservation::Part{.claim = set.claims()[i], .allocation = {}});
      parts.back().allocation = std::move(outcome.allocations[i]);
    }
  }
  for (const AllocatedClaim& claim : claims.allocated) {
    parts.push_back({.claim = claim.object(), .allocation = {}});
  }
  reservations_.insert_or_assign(
      pod.id, ClaimReservation(devices(), cluster_.node_name(node), std::move(parts)));
  return {};
}

std::vector<ObjectWrite> DynamicResources::Unreserve(const PodUnderTest& pod, NodeSlot /*node*/) {
  const auto at = reservations_.find(pod.id);
  if (at == reservations_.end()) return {};
  std::vector<ObjectWrite> writes = at->second.Undo(devices(), pod.pod.metadata);
  reservations_.erase(at);
  return writes;
}

PreBindOutcome DynamicResources::PreBind(const PodUnderTest& pod, NodeSlot /*node*/, Instant now) {
  const auto at = reservations_.find(pod.id);
  return at == reservations_.end() ? PreBindOutcome()
                                   : at->second.Continue(devices(), pod.pod.metadata, now);
}

bool DynamicResources::RepeatsWrites(const PodUnderTest& pod, Error& error) {
  const auto at = reservations_.find(pod.id);
  return at != reservations_.end() && at->second.Repeats(devices(), error);
}

void DynamicResources::PostBind(const PodUnderTest& pod, std::string_view /*node*/) {
  reservations_.erase(pod.id);
}

}  // namespace

std::unique_ptr<Plugin> MakeDynamicResources(ClusterState& cluster, const PluginArgs& args) {
  return std::make_unique<DynamicResources>(cluster, args.names_taints);
}

}  // namespace plimsoll::scheduler
