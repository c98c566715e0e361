#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scheduler/dra/claim_reservation.h"
#include "scheduler/dra/claims_state.h"
#include "scheduler/framework/framework.h"
#include "scheduler/plugins/args.h"

namespace plimsoll::scheduler {

/// Places pods on nodes that can satisfy their ResourceClaims, and allocates devices.
class DynamicResources final : public Plugin,
                               public PreEnqueuePlugin,
                               public EnqueueExtensions,
                               public PreFilterPlugin,
                               public FilterPlugin,
                               public DiagnosisPlugin,
                               public PostFilterPlugin,
                               public ScorePlugin,
                               public ReservePlugin,
                               public PreBindPlugin,
                               public PostBindPlugin {
 public:
  DynamicResources(ClusterState& cluster, const DynamicResourcesArgs& args, bool names_taints)
      : Plugin(cluster), args_(args), names_taints_(names_taints) {}

  std::string_view name() const override { return "DynamicResources"; }

  Verdict PreEnqueue(const api::Object& pod) const override;
  std::vector<EventInterest> Interests() const override;
  Hint HintFor(const PodRecord& pod, const ClusterEvent& event) const override;

  PreFilterOutcome PreFilter(const PodUnderTest& pod) override;
  bool Accepts(const PluginState* state, const NodeView& node) const override;
  Verdict Judge(const PluginState* state, const NodeView& node) const override;
  std::optional<std::uint32_t> RefusalGroup(const PluginState* state,
                                            const NodeView& node) const override;
  Verdict Filter(const PluginState* state, Bitmap& nodes) const override;
  void AddDetails(const PluginState* state, Diagnosis& diagnosis) const override;
  PostFilterOutcome PostFilter(Framework& framework, const Attempt& attempt,
                               const Diagnosis& diagnosis, Random& random) override;

  Normalization normalization() const override { return Normalization::Highest; }
  PreScoreOutcome BeginScore(const PodClass& pod, const PluginState* filter_state) override;
  std::int64_t ScoreOf(const PluginState* state, const NodeView& node) const override;
  void Score(const PluginState* state, const Bitmap& nodes,
             std::span<std::int64_t> scores) const override;

  Verdict Reserve(const PodUnderTest& pod, const PluginState* state, NodeSlot node) override;
  std::vector<api::Write> Unreserve(const PodUnderTest& pod, NodeSlot node) override;
  PreBindOutcome PreBind(const PodUnderTest& pod, NodeSlot node, Instant now) override;
  Verdict WritesFailed(const PodUnderTest& pod, const Error& error) override;
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

  /// Returns a refusal if the claim cannot be allocated on any node.
  Verdict CheckRequests(const api::ResourceClaim& claim) const;
  /// Adds a claim of the pod to the state. Returns a refusal if no node can satisfy it.
  Verdict AddClaim(ObjectPtr claim, std::string_view pod_uid, ClaimsState& state) const;
  bool IsAvailable(const ClaimsState& state, NodeSlot node) const;
  bool IsAllocatable(const ClaimsState& state, NodeSlot node) const;
  /// Returns the verdict for a node on which the allocator failed.
  Verdict JudgeAllocation(const ClaimsState& state, NodeSlot node) const;
  Verdict RefusalOf(const dra::Allocator::Outcome& outcome, const ClaimsState& state,
                    NodeSlot node) const;
  Verdict JudgeAvailability(const ClaimsState& state, NodeSlot node) const;
  /// Returns the first taint of the node's devices that a request of the pod does not tolerate.
  std::string TaintAt(const ClaimsState& state, NodeSlot node) const;
  /// Returns PreFilter's state of the attempt, or null.
  const ClaimsState* StateOf(const Framework& framework, const Attempt& attempt) const;
  /// Returns the new claim for extended resources that the node does not provide itself.
  ClaimReservation::Part NewClaim(const PodUnderTest& pod, const ClaimsState& claims,
                                  NodeSlot node) const;

  const DynamicResourcesArgs args_;
  const bool names_taints_;
  std::map<PodId, ClaimReservation> reservations_;
};

}  // namespace plimsoll::scheduler
