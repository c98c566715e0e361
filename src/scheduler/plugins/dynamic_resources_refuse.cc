#include <algorithm>
#include <utility>

#include "base/go_text.h"
#include "dra/device_diagnosis.h"
#include "match/diagnosis.h"
#include "scheduler/dra/allocated_claim.h"
#include "scheduler/limits.h"
#include "scheduler/plugins/dynamic_resources.h"

/// DynamicResources: verdicts of refused nodes, and PostFilter.
namespace plimsoll::scheduler {
namespace {

constexpr std::string_view kUnavailable = "resourceclaim not available on the node";
constexpr std::string_view kUnallocatable = "cannot allocate all claims";
constexpr std::string_view kLeftover = "cannot schedule extended resource claim";

Verdict Unresolvable(std::string reason) {
  return Verdict::Of(Code::UnschedulableAndUnresolvable, std::move(reason));
}

/// Must be one text: reasons are counted and sorted, which would separate two texts.
std::string WithTaint(std::string_view reason, std::string_view taint) {
  std::string text(reason);
  if (!taint.empty()) text.append(": device(s) had untolerated taint {").append(taint).append("}");
  return text;
}

bool IsRefusal(const Verdict& verdict, std::string_view plugin, std::string_view reason) {
  return verdict.plugin == plugin && !verdict.reasons.empty() &&
         verdict.reasons.front().starts_with(reason);
}

api::Write DeallocationOf(const ObjectPtr& claim) {
  const api::ObjectMeta& of = claim->metadata();
  return api::PatchObject{.object = claim,
                          .subresource = "status",
                          .body = R"({"metadata":{"uid":)" + GoJsonQuote(of.uid) +
                                  R"(,"resourceVersion":)" + GoJsonQuote(of.resource_version) +
                                  R"(},"status":{"allocation":null,"reservedFor":null}})"};
}

std::string ReasonOf(const dra::DeviceRefusal& refusal, bool names_taints) {
  if (refusal.fault == dra::DeviceFault::Tainted && names_taints) {
    std::string text;
    for (const dra::TaintRefusal& one : refusal.taints) {
      if (!text.empty()) text += "; ";
      if (one.source->rule != nullptr) {
        text.append("DeviceTaintRule ").append(one.source->rule->metadata().name).append(": ");
      }
      text += ToText(match::TaintDiagnosis{
          .taint = one.source->taint, .blocks = true, .nearest = one.nearest});
    }
    return text;
  }
  std::string text(ToText(refusal.fault));
  return refusal.detail.empty() ? text : text.append(": ").append(refusal.detail);
}

}  // namespace

std::optional<std::uint32_t> DynamicResources::RefusalGroup(const PluginState* state,
                                                            const NodeView& node) const {
  const ClaimsState& claims = Of(state);
  constexpr std::uint32_t kPlain = 0;
  if (claims.leftover != nullptr) return kPlain;
  const dra::ClaimSet& set = SetAt(claims, node.slot);
  // If no device is tainted and there is no error, all nodes get the same verdict.
  if (set.empty() || (names_taints_ && devices().HasTaints(cluster_.node_name(node.slot))) ||
      allocator().CheckNode(set, node.slot) != dra::Allocator::Answer::Impossible) {
    return std::nullopt;
  }
  return kPlain;
}

Verdict DynamicResources::Judge(const PluginState* state, const NodeView& node) const {
  const ClaimsState& claims = Of(state);
  // A claim left over from an earlier attempt must be deleted first.
  if (claims.leftover != nullptr) return Unresolvable(std::string(kLeftover));
  if (!IsAllocatable(claims, node.slot)) return JudgeAllocation(claims, node.slot);
  return JudgeAvailability(claims, node.slot);
}

Verdict DynamicResources::JudgeAllocation(const ClaimsState& state, NodeSlot node) const {
  const dra::ClaimSet& set = SetAt(state, node);
  // The allocation is known to be impossible. Only an error must be reproduced to get its text.
  const bool has_failed = allocator().CheckNode(set, node) == dra::Allocator::Answer::Error;
  return RefusalOf(
      has_failed ? allocator().Allocate(set, node, devices().random()) : dra::Allocator::Outcome(),
      state, node);
}

Verdict DynamicResources::RefusalOf(const dra::Allocator::Outcome& outcome,
                                    const ClaimsState& state, NodeSlot node) const {
  if (outcome.timed_out) {
    // Name the node, because its devices may cause the timeout.
    std::string text = "node ";
    text.append(cluster_.node_name(node)).append(": ").append(outcome.error);
    return Verdict::Of(Code::Error, std::move(text));
  }
  if (outcome.answer == dra::Allocator::Answer::Error) {
    return outcome.only_this_node ? Unresolvable(outcome.error)
                                  : Verdict::Of(Code::Error, outcome.error);
  }
  const bool looks = names_taints_ && devices().HasTaints(cluster_.node_name(node));
  return Unresolvable(WithTaint(kUnallocatable, looks ? TaintAt(state, node) : ""));
}

Verdict DynamicResources::JudgeAvailability(const ClaimsState& state, NodeSlot node) const {
  for (const AllocatedClaim& claim : state.allocated) {
    if (claim.IsAvailable(cluster_, node)) continue;
    return Unresolvable(WithTaint(kUnavailable, names_taints_ ? claim.taint() : ""));
  }
  return {};
}

std::string DynamicResources::TaintAt(const ClaimsState& state, NodeSlot node) const {
  for (const dra::RequestDiagnosis& request :
       allocator().Diagnose(SetAt(state, node), node).requests) {
    for (const dra::DeviceRefusal& refusal : request.devices) {
      if (refusal.fault != dra::DeviceFault::Tainted) continue;
      const api::DeviceTaint& taint = *refusal.taints.front().source->taint;
      std::string text(taint.key);
      return text.append(": ").append(taint.value);
    }
  }
  return {};
}

void DynamicResources::AddDetails(const PluginState* state, Diagnosis& diagnosis) const {
  const auto add = [&](NodeSlot node) {
    const dra::Diagnosis found = allocator().Diagnose(SetAt(Of(state), node), node);
    for (const dra::RequestDiagnosis& request : found.requests) {
      for (const dra::DeviceRefusal& refusal : request.devices) {
        if (refusal.fault == dra::DeviceFault::None) continue;
        if (diagnosis.devices.size() == kDiagnosedDevicesMax) return;
        const api::ResourceSlice& slice = *refusal.device->slice->view;
        std::string device(slice.driver);
        device.append("/").append(slice.pool.name).append("/").append(refusal.device->device->name);
        diagnosis.devices.push_back({.node = std::string(cluster_.node_name(node)),
                                     .claim = request.claim,
                                     .request = request.request,
                                     .device = std::move(device),
                                     .reason = ReasonOf(refusal, names_taints_)});
      }
    }
  };
  for (const Diagnosis::Refusal& refusal : diagnosis.refusals) {
    if (!IsRefusal(refusal.verdict, name(), kUnallocatable)) continue;
    refusal.which.ForEach([&](std::size_t i) {
      if (diagnosis.devices.size() < kDiagnosedDevicesMax) add(static_cast<NodeSlot>(i));
    });
  }
}

const ClaimsState* DynamicResources::StateOf(const Framework& framework,
                                             const Attempt& attempt) const {
  const auto place = std::ranges::find(framework.plugins(), static_cast<const Plugin*>(this),
                                       [](const EnabledPlugin& one) { return one.plugin.get(); });
  return static_cast<const ClaimsState*>(
      attempt.filter_states[static_cast<std::size_t>(place - framework.plugins().begin())].get());
}

/// Deallocates a claim that only this pod uses, if its devices keep the pod from a node.
PostFilterOutcome DynamicResources::PostFilter(Framework& framework, const Attempt& attempt,
                                               const Diagnosis& diagnosis, Random& /*random*/) {
  PostFilterOutcome outcome;
  outcome.verdict.code = Code::Unschedulable;
  const bool was_asked = attempt.pre_filter.ok() || attempt.pre_filter.plugin == name() ||
                         std::ranges::find(attempt.skipped, name()) != attempt.skipped.end();
  if (!was_asked) {
    // Upstream fails here because PreFilter did not run: another plugin had refused the pod before.
    outcome.verdict = Verdict::Of(Code::Error, "not found");
    return outcome;
  }
  const ClaimsState* const state = StateOf(framework, attempt);
  if (state == nullptr) return outcome;
  if (state->leftover != nullptr) {
    outcome.writes = DeletionOf(state->leftover);
    outcome.verdict.reasons.emplace_back("deletion of ResourceClaim completed");
    return outcome;
  }
  const std::string_view pod_uid = attempt.pod.pod.metadata.uid;
  for (const Diagnosis::Refusal& refusal : diagnosis.refusals) {
    if (!IsRefusal(refusal.verdict, name(), kUnavailable)) continue;
    for (const AllocatedClaim& claim : state->allocated) {
      bool is_unavailable = false;
      refusal.which.ForEach([&](std::size_t i) {
        is_unavailable = is_unavailable || !claim.IsAvailable(cluster_, static_cast<NodeSlot>(i));
      });
      if (!is_unavailable || !claim.IsFreeFor(pod_uid)) continue;
      outcome.writes.push_back(DeallocationOf(claim.object()));
      outcome.verdict.reasons.emplace_back("deallocation of ResourceClaim completed");
      return outcome;
    }
  }
  return outcome;
}

}  // namespace plimsoll::scheduler
