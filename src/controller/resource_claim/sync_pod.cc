#include <algorithm>

#include "base/go_text.h"
#include "controller/limits.h"
#include "controller/resource_claim/pod_claims.h"
#include "controller/resource_claim/resource_claim_controller.h"

/// Creates a pod's claims and reserves them for the pod.
namespace plimsoll::controller {
namespace {

constexpr std::string_view kFieldManager = "ResourceClaimController";

}  // namespace

void ResourceClaimController::SyncPod(const std::string& uid, Pod& pod, const Turn& turn) {
  if (pod.object == nullptr || pod.is_done) return;
  if (!pod.object->metadata().deletion_timestamp.empty()) return;
  if (EnsureClaims(uid, pod, turn)) Reserve(uid, pod, turn);
}

/// Returns true if all claims exist and the pod's status names them.
bool ResourceClaimController::EnsureClaims(const std::string& uid, Pod& pod, const Turn& turn) {
  ClaimStatuses statuses;
  bool is_news = false;
  bool is_complete = true;
  for (const api::PodResourceClaim& entry : pod.object->As<api::Pod>()->spec.resource_claims) {
    const PodClaim known = ClaimOf(*pod.object, entry);
    if (!entry.resource_claim_template_name || known.kind == PodClaim::Kind::Named) continue;
    if (known.kind == PodClaim::Kind::NotNeeded) {
      statuses.emplace_back(entry.name, std::string_view());
      continue;
    }
    const Claim* const claim =
        FindClaim({std::string(pod.object->metadata().namespace_), std::string(known.name)});
    if (claim != nullptr && OwningPod(claim->object->metadata()) == uid) {
      statuses.emplace_back(entry.name, known.name);
    } else if (const api::Object* const owned = FindOwned(uid, entry.name)) {
      // The claim was created before, but its name was not written to the status.
      statuses.emplace_back(entry.name, owned->metadata().name);
      is_news = true;
    } else {
      is_complete = false;
      if (!Create(uid, pod, entry, turn)) return false;
    }
  }
  if (!is_complete) return false;
  if (!is_news) return true;
  if (pod.write != 0 || pod.written_version == pod.object->metadata().resource_version) {
    return false;
  }
  pod.write = Begin({.kind = Write::Kind::PodStatus, .cause = PodKey(uid)});
  pod.written_version = pod.object->metadata().resource_version;
  turn.Do(PatchObject{.id = pod.write,
                      .object = pod.object,
                      .subresource = "status",
                      .body = ClaimStatusesPatch(*pod.object, statuses),
                      .form = PatchForm::Apply,
                      .field_manager = std::string(kFieldManager)});
  return false;
}

const api::Object* ResourceClaimController::FindOwned(std::string_view pod_uid,
                                                      std::string_view pod_claim) const {
  const auto owned = owned_.find(pod_uid);
  if (owned == owned_.end()) return nullptr;
  for (const ObjectName& name : owned->second) {
    const api::Object& claim = *claims_.at(name).object;
    if (claim.metadata().annotations.Find(kPodClaimName) == pod_claim) return &claim;
  }
  return nullptr;
}

/// Creates the claim unless that is in progress. Returns false if its template is missing.
bool ResourceClaimController::Create(const std::string& uid, Pod& pod,
                                     const api::PodResourceClaim& pod_claim, const Turn& turn) {
  const auto creation = pod.creations.find(pod_claim.name);
  if (creation != pod.creations.end() &&
      (creation->second.is_under_way || turn.now < creation->second.since + kSightMax)) {
    return true;
  }
  const ObjectName template_name(pod.object->metadata().namespace_,
                                 *pod_claim.resource_claim_template_name);
  const auto claim_template = templates_.find(template_name);
  if (claim_template == templates_.end()) {
    without_template_[template_name].insert(uid);
    const std::string quoted = GoQuote(template_name.second);
    RecordFailure(pod, pod_claim.name,
                  "resource claim template " + quoted + ": resourceclaimtemplate.resource.k8s.io " +
                      quoted + " not found",
                  turn);
    queue_.Retry(PodKey(uid), turn.now);
    return false;
  }
  pod.creations[std::string(pod_claim.name)] = {};
  const auto& view = *claim_template->second->As<api::ResourceClaimTemplate>();
  turn.Do(CreateObject{
      .id = Begin({.kind = Write::Kind::CreateClaim,
                   .cause = PodKey(uid),
                   .name = std::string(pod_claim.name),
                   .claim = {},
                   .is_admin = HasAdminAccess(view.claim_spec)}),
      .object = api::ObjectRef(*api::FindKind("resource.k8s.io", "v1", "ResourceClaim"),
                               template_name.first),
      .body = ClaimFromTemplate(*pod.object, pod_claim.name, *claim_template->second)});
  return true;
}

void ResourceClaimController::RecordFailure(const Pod& pod, std::string_view pod_claim,
                                            std::string_view why, const Turn& turn) {
  turn.Do(RecordEvent{
      .regarding = pod.object,
      .type = EventType::Warning,
      .reason = "FailedResourceClaimCreation",
      .message = "PodResourceClaim " + std::string(pod_claim) + ": " + std::string(why)});
}

/// Reserves allocated claims for a pod that was bound without the scheduler.
void ResourceClaimController::Reserve(const std::string& uid, const Pod& pod, const Turn& turn) {
  const auto& view = *pod.object->As<api::Pod>();
  if (view.spec.node_name.empty()) return;
  for (const api::PodResourceClaim& entry : view.spec.resource_claims) {
    const PodClaim known = ClaimOf(*pod.object, entry);
    if (known.name.empty()) continue;
    const ObjectName name(view.metadata.namespace_, known.name);
    Claim* const claim = FindClaim(name);
    if (claim == nullptr) return;
    const auto& its = *claim->object->As<api::ResourceClaim>();
    if (!its.allocation || IsReservedFor(its, uid) ||
        its.reserved_for.size() >= kClaimConsumersMax || !its.metadata.deletion_timestamp.empty() ||
        IsWaiting(*claim)) {
      continue;
    }
    PatchClaim(name, *claim, "status", ReservePatch(*claim->object, *pod.object), PodKey(uid),
               turn);
  }
}

}  // namespace plimsoll::controller
