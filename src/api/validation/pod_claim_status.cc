#include "api/validation/pod_claim_status.h"

#include <algorithm>
#include <array>
#include <set>

#include "api/validation/field_checks.h"
#include "api/validation/resources.h"
#include "api/validation/seen_texts.h"
#include "api/validation/tree_reads.h"

namespace plimsoll::api {
namespace {

using codec::Value;

const Container* FindContainer(const PodSpec& spec, std::string_view name) {
  for (const auto* containers : {&spec.init_containers, &spec.containers}) {
    const auto found = std::ranges::find(*containers, name, &Container::name);
    if (found != containers->end()) return &*found;
  }
  return nullptr;
}

void CheckGeneratedClaims(const PodSpec& spec, std::span<const Value> statuses, const FieldPath& at,
                          FieldErrors& errors) {
  std::set<std::string_view> claims;
  for (const PodResourceClaim& claim : spec.resource_claims) claims.insert(claim.name);
  SeenTexts seen;
  for (std::size_t i = 0; i < statuses.size(); ++i) {
    const FieldPath item_path = at[i];
    const FieldPath name_path = item_path / "name";
    const std::string_view name = TextOf(&statuses[i], "name");
    if (!claims.contains(name)) {
      errors.Invalid(name_path, name, "must match the name of an entry in `spec.resourceClaims`");
    }
    if (!seen.Insert(name)) errors.Duplicate(name_path, BadValue::String(name));
    if (const Value* const claim = statuses[i].Find("resourceClaimName")) {
      // Upstream reports this at the path of the name.
      AddFaults(name_path, claim->text(), CheckDns1123Subdomain(claim->text()), errors);
    }
  }
}

void CheckMapping(const PodSpec& spec, const Value& mapping, const FieldPath& at,
                  FieldErrors& errors) {
  const std::string_view container_name = TextOf(&mapping, "containerName");
  const std::string_view resource = TextOf(&mapping, "resourceName");
  const Container* const container = FindContainer(spec, container_name);
  if (container == nullptr) {
    errors.Invalid(at / "containerName", container_name,
                   "must match the name of an entry in spec.initContainers.name or "
                   "spec.containers.name");
  } else if (FindAmount(container->resources.requests, resource) == nullptr) {
    errors.Invalid(at / "resourceName", resource,
                   "must match the extended resource name of an entry in "
                   "spec.initContainers.resources.requests or spec.containers.resources.requests");
  }
}

void CheckExtendedClaim(const PodSpec& spec, const Value& status, const FieldPath& at,
                        FieldErrors& errors) {
  const FieldPath mappings_path = at / "requestMappings";
  const auto mappings = ItemsOf(&status, "requestMappings");
  if (mappings.empty()) {
    errors.Required(mappings_path, "at least one request mapping is required");
  }
  std::set<std::array<std::string_view, 3>> seen;
  for (std::size_t i = 0; i < mappings.size(); ++i) {
    static constexpr std::array<std::string_view, 3> kFields = {"containerName", "resourceName",
                                                                "requestName"};
    const FieldPath item_path = mappings_path[i];
    CheckMapping(spec, mappings[i], item_path, errors);
    const std::string_view request = TextOf(&mappings[i], "requestName");
    AddFaults(at / "requestName", request, CheckDns1123Label(request), errors);
    std::array<std::string_view, 3> key;
    std::ranges::transform(kFields, key.begin(),
                           [&](std::string_view field) { return TextOf(&mappings[i], field); });
    if (seen.insert(key).second) continue;
    for (std::size_t part = 0; part < kFields.size(); ++part) {
      errors.Duplicate(item_path / kFields[part], BadValue::String(key[part]));
    }
  }
  const std::string_view claim = TextOf(&status, "resourceClaimName");
  if (claim.empty()) return errors.Required(at / "resourceClaimName", "");
  AddFaults(at / "resourceClaimName", claim, CheckDns1123Subdomain(claim), errors);
}

}  // namespace

void ValidatePodClaimStatuses(const Pod& pod, const Value& tree, FieldErrors& errors) {
  static constexpr FieldPath kStatus("status");
  const Value* const status = tree.Find("status");
  CheckGeneratedClaims(pod.spec, ItemsOf(status, "resourceClaimStatuses"),
                       kStatus / "resourceClaimStatuses", errors);
  if (const Value* const extended = MemberOf(status, "extendedResourceClaimStatus")) {
    CheckExtendedClaim(pod.spec, *extended, kStatus / "extendedResourceClaimStatus", errors);
  }
}

}  // namespace plimsoll::api
