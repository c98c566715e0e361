#include "controller/resource_claim/pod_claims.h"

#include <algorithm>

#include "api/core/pod_phase.h"
#include "codec/json.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

/// Leaves room for a dash and five random characters in a label value of 63.
constexpr std::size_t kNameBaseMax = 57;

std::string Versioned(const api::Object& claim) {
  return JsonText().Text("resourceVersion", claim.metadata().resource_version).Done();
}

std::string ConsumerOf(const api::Object& pod) {
  return JsonText()
      .Text("resource", "pods")
      .Text("name", pod.metadata().name)
      .Text("uid", pod.metadata().uid)
      .Done();
}

void AppendItem(std::string& list, std::string_view item) {
  if (!list.empty()) list += ',';
  list += item;
}

std::string TextsOf(const api::StringMap& map) {
  JsonText texts;
  for (const auto& [key, value] : map) texts.Text(key, value);
  return texts.Done();
}

}  // namespace

PodClaim ClaimOf(const api::Object& pod, const api::PodResourceClaim& claim) {
  if (claim.resource_claim_name) return {PodClaim::Kind::Named, *claim.resource_claim_name};
  if (!claim.resource_claim_template_name) return {};
  const codec::Value* const statuses = FindAt(pod.tree(), {"status", "resourceClaimStatuses"});
  if (statuses != nullptr) {
    for (const codec::Value& status : statuses->items()) {
      if (TextAt(status, {"name"}) != claim.name) continue;
      const std::string_view name = TextAt(status, {"resourceClaimName"});
      if (name.empty()) return {PodClaim::Kind::NotNeeded, {}};
      return {PodClaim::Kind::Generated, name};
    }
  }
  return {PodClaim::Kind::NotCreated, {}};
}

std::string_view ExtendedClaimOf(const api::Object& pod) {
  return TextAt(pod.tree(), {"status", "extendedResourceClaimStatus", "resourceClaimName"});
}

bool IsPodDone(const api::Object& pod) {
  const auto& view = *pod.As<api::Pod>();
  return IsPodTerminal(view) ||
         (!view.metadata.deletion_timestamp.empty() && view.spec.node_name.empty());
}

std::string_view OwningPod(const api::ObjectMeta& claim) {
  for (const api::OwnerReference& owner : claim.owner_references) {
    if (owner.controller.value_or(false) && owner.api_version == "v1" && owner.kind == "Pod") {
      return owner.uid;
    }
  }
  return {};
}

bool IsReservedFor(const api::ResourceClaim& claim, std::string_view pod_uid) {
  return std::ranges::find(claim.reserved_for, pod_uid, &api::ConsumerReference::uid) !=
         claim.reserved_for.end();
}

bool HasAdminAccess(const api::DeviceClaim& claim) {
  return std::ranges::any_of(claim.requests, [](const api::DeviceRequest& request) {
    return request.exactly && request.exactly->admin_access;
  });
}

bool HasFinalizer(const api::ObjectMeta& claim) {
  return std::ranges::find(claim.finalizers, kClaimFinalizer) != claim.finalizers.end();
}

std::string GenerateName(std::string_view pod, std::string_view claim) {
  const std::size_t size = pod.size() + claim.size() + 2;
  if (size <= kNameBaseMax) return std::string(pod) + "-" + std::string(claim) + "-";
  return std::string(pod.substr(0, pod.size() * kNameBaseMax / size)) + "-" +
         std::string(claim.substr(0, claim.size() * kNameBaseMax / size));
}

std::string ClaimFromTemplate(const api::Object& pod, std::string_view pod_claim,
                              const api::Object& claim_template) {
  const auto& view = *claim_template.As<api::ResourceClaimTemplate>();
  const api::ObjectMeta& owner = pod.metadata();
  JsonText reference;
  reference.Text("apiVersion", "v1")
      .Text("kind", "Pod")
      .Text("name", owner.name)
      .Text("uid", owner.uid)
      .Bool("controller", true)
      .Bool("blockOwnerDeletion", true);
  JsonText annotations;
  for (const auto& [key, value] : view.claim_metadata.annotations) {
    if (key != kPodClaimName) annotations.Text(key, value);
  }
  annotations.Text(kPodClaimName, pod_claim);
  JsonText metadata;
  metadata.Text("generateName", GenerateName(owner.name, pod_claim))
      .Text("namespace", owner.namespace_)
      .Raw("annotations", annotations.Done());
  if (!view.claim_metadata.labels.empty()) {
    metadata.Raw("labels", TextsOf(view.claim_metadata.labels));
  }
  metadata.Raw("ownerReferences", "[" + reference.Done() + "]");
  return JsonText()
      .Text("apiVersion", "resource.k8s.io/v1")
      .Text("kind", "ResourceClaim")
      .Raw("metadata", metadata.Done())
      .Raw("spec", view.claim_source == nullptr ? "{}" : codec::WriteJson(*view.claim_source))
      .Done();
}

std::string ClaimStatusesPatch(const api::Object& pod, const ClaimStatuses& statuses) {
  std::string list;
  for (const auto& [name, claim] : statuses) {
    JsonText status;
    status.Text("name", name);
    if (!claim.empty()) status.Text("resourceClaimName", claim);
    AppendItem(list, status.Done());
  }
  const api::ObjectMeta& metadata = pod.metadata();
  return JsonText()
      .Text("apiVersion", "v1")
      .Text("kind", "Pod")
      .Raw("metadata", JsonText()
                           .Text("name", metadata.name)
                           .Text("namespace", metadata.namespace_)
                           .Text("uid", metadata.uid)
                           .Done())
      .Raw("status", JsonText().Raw("resourceClaimStatuses", "[" + list + "]").Done())
      .Done();
}

std::string ReservePatch(const api::Object& claim, const api::Object& pod) {
  std::string list;
  if (const auto* const reserved = FindAt(claim.tree(), {"status", "reservedFor"})) {
    for (const codec::Value& consumer : reserved->items()) {
      AppendItem(list, codec::WriteJson(consumer));
    }
  }
  AppendItem(list, ConsumerOf(pod));
  return JsonText()
      .Raw("metadata", Versioned(claim))
      .Raw("status", JsonText().Raw("reservedFor", "[" + list + "]").Done())
      .Done();
}

std::string ReleasePatch(const api::Object& claim, const std::vector<std::size_t>& kept) {
  JsonText status;
  if (kept.empty()) {
    // The device status that drivers reported is removed with the allocation.
    status.Raw("reservedFor", "null").Raw("allocation", "null").Raw("devices", "null");
  } else {
    const codec::Value& reserved = *FindAt(claim.tree(), {"status", "reservedFor"});
    std::string list;
    for (const std::size_t place : kept) {
      AppendItem(list, codec::WriteJson(reserved.items()[place]));
    }
    status.Raw("reservedFor", "[" + list + "]");
  }
  return JsonText().Raw("metadata", Versioned(claim)).Raw("status", status.Done()).Done();
}

std::string RemoveFinalizerPatch(const api::Object& claim) {
  std::string list;
  for (const std::string_view finalizer : claim.metadata().finalizers) {
    if (finalizer != kClaimFinalizer)
      AppendItem(list, codec::WriteJson(codec::Value::String(finalizer)));
  }
  return JsonText()
      .Raw("metadata", JsonText()
                           .Text("resourceVersion", claim.metadata().resource_version)
                           .Raw("finalizers", list.empty() ? "null" : "[" + list + "]")
                           .Done())
      .Done();
}

}  // namespace plimsoll::controller
