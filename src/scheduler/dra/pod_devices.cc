#include "scheduler/dra/pod_devices.h"

#include <algorithm>
#include <optional>
#include <string>

#include "base/go_text.h"
#include "codec/value_at.h"

namespace plimsoll::scheduler {
namespace {

std::string KeyOf(const api::ObjectMeta& metadata) {
  return std::string(metadata.namespace_).append("/").append(metadata.name);
}

/// Returns the name of the claim that was generated from a template, according to the pod's status.
/// Nullopt if the status has no entry; empty if no claim is needed.
std::optional<std::string_view> GeneratedName(const codec::Value* status, std::string_view claim) {
  const codec::Value* const list =
      status == nullptr ? nullptr : status->Find("resourceClaimStatuses");
  if (list == nullptr) return std::nullopt;
  for (const codec::Value& item : list->items()) {
    const codec::Value* const name = item.Find("name");
    if (name == nullptr || !name->is_string() || name->text() != claim) continue;
    return TextAt(item, "resourceClaimName");
  }
  return std::nullopt;
}

Result<std::string_view> NameOf(const api::Pod& pod, const codec::Value* status,
                                const api::PodResourceClaim& claim) {
  if (claim.resource_claim_name) return *claim.resource_claim_name;
  const std::string key = "pod \"" + KeyOf(pod.metadata) + "\"";
  if (!claim.resource_claim_template_name) {
    return Fail(Reason::Invalid, key + ", spec.resourceClaim " + GoQuote(claim.name) +
                                     ": none of the supported fields are set");
  }
  const std::optional<std::string_view> made = GeneratedName(status, claim.name);
  if (!made) return Fail(Reason::NotFound, key + ": ResourceClaim not created yet");
  return *made;
}

Result<std::vector<ObjectPtr>> Find(const Devices& devices, const api::Pod& pod,
                                    const codec::Value* status) {
  const api::ObjectMeta& of = pod.metadata;
  std::vector<ObjectPtr> claims;
  for (const api::PodResourceClaim& wanted : pod.spec.resource_claims) {
    const std::string_view name = PL_TRY(NameOf(pod, status, wanted));
    if (name.empty()) continue;  // its template needs no claim
    ObjectPtr claim = devices.claims().Find(of.namespace_, name);
    if (claim == nullptr) {
      std::string key(of.namespace_);
      key.append("/").append(name);
      return Fail(Reason::NotFound, "could not find ResourceClaim \"" + key + "\"");
    }
    if (!claim->metadata().deletion_timestamp.empty()) {
      return Fail(Reason::Conflict, "resourceclaim " + GoQuote(name) + " is being deleted");
    }
    if (!wanted.resource_claim_name && !IsControlledBy(claim->metadata(), of.uid)) {
      return Fail(Reason::Conflict, "ResourceClaim " + KeyOf(claim->metadata()) +
                                        " was not created for pod " + KeyOf(of) +
                                        " (pod is not owner)");
    }
    claims.push_back(std::move(claim));
  }
  return claims;
}

}  // namespace

Result<std::vector<ObjectPtr>> FindDeviceClaims(const Devices& devices, const api::Object& pod) {
  return Find(devices, *pod.As<api::Pod>(), pod.tree().Find("status"));
}

Result<std::vector<ObjectPtr>> FindDeviceClaims(const Devices& devices, const api::Pod& pod) {
  return Find(devices, pod, nullptr);
}

bool IsControlledBy(const api::ObjectMeta& object, std::string_view owner_uid) {
  return std::ranges::any_of(object.owner_references, [&](const api::OwnerReference& owner) {
    return owner.controller.value_or(false) && owner.uid == owner_uid;
  });
}

bool IsReservedFor(const api::ResourceClaim& claim, std::string_view pod_uid) {
  return std::ranges::find(claim.reserved_for, pod_uid, &api::ConsumerReference::uid) !=
         claim.reserved_for.end();
}

}  // namespace plimsoll::scheduler
