#include "controller/resource_claim/claim_metrics.h"

#include "controller/resource_claim/pod_claims.h"

namespace plimsoll::controller {
namespace {

std::string_view ToText(bool value) { return value ? "true" : "false"; }

/// Returns the origin of a claim as a metrics label; "" if a user created it.
std::string_view SourceOf(const api::ObjectMeta& claim) {
  if (claim.annotations.Has(kPodClaimName)) return "resource_claim_template";
  if (claim.annotations.Find(kExtendedResourceClaim) == "true") return "extended_resource";
  return {};
}

}  // namespace

ClaimMetrics::ClaimMetrics(MetricsRegistry& metrics)
    : claims_(metrics.AddGauges(
          {.name = "dynamic_resource_allocation_resource_claims",
           .help = "Number of ResourceClaims, by whether they are allocated, whether they ask for "
                   "admin access, and where they come from",
           .labels = {"allocated", "admin_access", "source"}})),
      creations_(metrics.AddCounters(
          {.name = "dynamic_resource_allocation_resourceclaim_creates_total",
           .help = "Number of attempts to create a ResourceClaim, by their outcome",
           .labels = {"status", "admin_access", "owner_api_group", "owner_api_kind"}})) {}

void ClaimMetrics::Count(const api::Object& claim, int by) {
  const auto& view = *claim.As<api::ResourceClaim>();
  claims_
      .With({ToText(view.allocation.has_value()), ToText(HasAdminAccess(view.spec)),
             SourceOf(view.metadata)})
      .Add(by);
}

void ClaimMetrics::CountCreation(bool is_success, bool is_admin) {
  creations_.With({is_success ? "success" : "failure", ToText(is_admin), "", "Pod"}).Add();
}

}  // namespace plimsoll::controller
