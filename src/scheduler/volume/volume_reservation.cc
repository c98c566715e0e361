#include "scheduler/volume/volume_reservation.h"

#include <utility>

#include "base/go_text.h"
#include "match/node_selector.h"
#include "match/volume_claim.h"
#include "scheduler/volume/pod_claims.h"

namespace plimsoll::scheduler {
namespace {

using api::PersistentVolume;
using api::PersistentVolumeClaim;

/// Returns true if the claimRef names the claim including its uid: no write is needed.
bool IsSetAsideFor(const PersistentVolume& volume, const PersistentVolumeClaim& claim) {
  const auto& reference = volume.spec.claim_ref;
  return reference && match::RefersTo(*reference, claim) && reference->uid == claim.metadata.uid;
}

/// Returns the patch that requests provisioning for the claim on the node.
std::string SelectedNodePatch(const ObjectPtr& claim, std::string_view node) {
  return R"({"metadata":{"resourceVersion":)" + GoJsonQuote(claim->metadata().resource_version) +
         R"(,"annotations":{)" + GoJsonQuote(match::kSelectedNode) + ":" + GoJsonQuote(node) +
         "}}}";
}

}  // namespace

VolumeReservation::VolumeReservation(std::string_view node_name, const VolumePlan& plan,
                                     AssumedBindings& assumed)
    : node_name_(node_name), assumed_(&assumed) {
  for (const auto& [unbound, candidate] : plan.bindings) {
    const std::optional<api::ObjectReference> reference = assumed.ClaimRef(candidate->volume);
    const bool is_assumed = !reference || reference->uid != unbound->claim->metadata.uid;
    if (is_assumed) assumed.AssumeVolume(candidate->volume, unbound->object);
    bindings_.push_back({candidate->volume, unbound->object, is_assumed});
  }
  for (const auto& [unbound, pool] : plan.provisions) {
    assumed.AssumeClaim(unbound->object, node_name);
    provisions_.push_back(unbound->object);
  }
}

void VolumeReservation::Undo() {
  for (const Binding& binding : bindings_) {
    if (binding.is_assumed) assumed_->ForgetVolume(binding.volume->metadata());
  }
  for (const ObjectPtr& claim : provisions_) assumed_->ForgetClaim(claim->metadata());
  bindings_.clear();
  provisions_.clear();
}

std::vector<api::Write> VolumeReservation::Patches(const ClusterState& cluster) const {
  std::vector<api::Write> patches;
  for (const Binding& binding : bindings_) {
    const ObjectPtr volume = cluster.volumes.Find({}, binding.volume->metadata().name);
    if (volume != nullptr && IsSetAsideFor(*volume->As<PersistentVolume>(),
                                           *binding.claim->As<PersistentVolumeClaim>())) {
      continue;
    }
    patches.emplace_back(api::PatchObject{
        .object = binding.volume, .body = match::ClaimRefPatch(*binding.volume, *binding.claim)});
  }
  for (const ObjectPtr& claim : provisions_) {
    if (claim->metadata().annotations.Find(match::kSelectedNode) == node_name_) continue;
    patches.emplace_back(
        api::PatchObject{.object = claim, .body = SelectedNodePatch(claim, node_name_)});
  }
  return patches;
}

PreBindOutcome VolumeReservation::Continue(const ClusterState& cluster, Duration timeout,
                                           Instant now) {
  PreBindOutcome outcome;
  if (!deadline_) {
    deadline_ = now + timeout;
    outcome.writes = Patches(cluster);
  }
  const Result<Progress> progress = Check(cluster);
  if (!progress || (*progress == Progress::Waiting && now >= *deadline_)) {
    outcome.writes.clear();
    outcome.verdict = Verdict::Of(
        Code::Error,
        "binding volumes: " + (progress ? "context deadline exceeded" : progress.error().message));
    return outcome;
  }
  if (*progress == Progress::Done && outcome.writes.empty()) return outcome;
  outcome.verdict.code = Code::Wait;
  outcome.waits_for = {{EventResource::PersistentVolume, kAll},
                       {EventResource::PersistentVolumeClaim, kAll}};
  outcome.deadline = deadline_;
  return outcome;
}

Result<VolumeReservation::Progress> VolumeReservation::Check(const ClusterState& cluster) const {
  const std::optional<NodeSlot> node = cluster.FindNode(node_name_);
  if (!node) {
    return Fail(Reason::NotFound, "failed to get node " + GoQuote(node_name_) + ": " +
                                      NotFoundText("node", node_name_));
  }
  for (const Binding& binding : bindings_) {
    const Progress progress = PL_TRY(CheckBinding(cluster, binding, *node));
    if (progress == Progress::Waiting) return progress;
  }
  for (const ObjectPtr& claim : provisions_) {
    const Progress progress = PL_TRY(CheckProvision(cluster, claim, *node));
    if (progress == Progress::Waiting) return progress;
  }
  return Progress::Done;
}

Status VolumeReservation::CheckAffinity(const ClusterState& cluster, const ObjectPtr& volume,
                                        NodeSlot node) const {
  if (match::MatchVolume(*volume->As<PersistentVolume>(), cluster.index().Labels(node),
                         cluster.rules())
          .matched) {
    return {};
  }
  return Fail(Reason::Conflict, "pv " + GoQuote(volume->metadata().name) +
                                    " node affinity doesn't match node " + GoQuote(node_name_) +
                                    ": no matching NodeSelectorTerms");
}

Result<VolumeReservation::Progress> VolumeReservation::CheckBinding(const ClusterState& cluster,
                                                                    const Binding& binding,
                                                                    NodeSlot node) const {
  const api::ObjectMeta& wanted = binding.claim->metadata();
  const std::string_view name = binding.volume->metadata().name;
  const ObjectPtr volume = cluster.volumes.Find({}, name);
  const ObjectPtr claim = cluster.claims.Find(wanted.namespace_, wanted.name);
  if (volume == nullptr || claim == nullptr) {
    return Fail(Reason::NotFound,
                "failed to check binding: " +
                    (volume == nullptr ? NotFoundText("persistentvolume", name)
                                       : NotFoundText("persistentvolumeclaim", wanted.name)));
  }
  const auto& view = *volume->As<PersistentVolume>();
  if (!view.spec.claim_ref || view.spec.claim_ref->uid.empty()) {
    // The volume is unchanged until the informer delivers our write.
    if (IsSameVersion(volume, binding.volume)) return Progress::Waiting;
    return Fail(Reason::Conflict, "ClaimRef got reset for pv " + GoQuote(name));
  }
  PL_TRY(CheckAffinity(cluster, volume, node));
  return match::IsFullyBound(*claim->As<PersistentVolumeClaim>()) ? Progress::Done
                                                                  : Progress::Waiting;
}

Result<VolumeReservation::Progress> VolumeReservation::CheckProvision(const ClusterState& cluster,
                                                                      const ObjectPtr& reserved,
                                                                      NodeSlot node) const {
  const api::ObjectMeta& wanted = reserved->metadata();
  const ObjectPtr object = cluster.claims.Find(wanted.namespace_, wanted.name);
  if (object == nullptr) {
    return Fail(Reason::NotFound, "failed to check provisioning pvc: " +
                                      NotFoundText("persistentvolumeclaim", wanted.name));
  }
  const auto& claim = *object->As<PersistentVolumeClaim>();
  if (claim.metadata.annotations.Find(match::kSelectedNode) != node_name_) {
    if (IsSameVersion(object, reserved)) return Progress::Waiting;
    // A provisioner that fails removes the annotation, so that another node is tried.
    return Fail(Reason::Conflict,
                claim.metadata.annotations.empty()
                    ? "selectedNode annotation reset for PVC " + GoQuote(wanted.name)
                    : "provisioning failed for PVC " + GoQuote(wanted.name));
  }
  if (!claim.spec.volume_name.empty()) {
    const ObjectPtr volume = cluster.volumes.Find({}, claim.spec.volume_name);
    // The informer may deliver the volume after the claim.
    if (volume == nullptr) return Progress::Waiting;
    PL_TRY(CheckAffinity(cluster, volume, node));
  }
  return match::IsFullyBound(claim) ? Progress::Done : Progress::Waiting;
}

}  // namespace plimsoll::scheduler
