#include "api/validation/list_limits.h"

namespace plimsoll::api {
namespace {

bool ExceedsLimits(const std::optional<PodAffinity>& affinity) {
  return affinity && (affinity->required.size() > kPodAffinityTermsMax ||
                      affinity->preferred.size() > kPodAffinityTermsMax);
}

}  // namespace

bool ExceedsListLimits(const PodSpec& spec) {
  return spec.topology_spread_constraints.size() > kSpreadConstraintsMax ||
         (spec.affinity && (ExceedsLimits(spec.affinity->pod_affinity) ||
                            ExceedsLimits(spec.affinity->pod_anti_affinity)));
}

std::string TooCostlyText(std::uint64_t cost) {
  constexpr std::uint64_t kTenth = kExpressionsCostMax / 10;
  const std::uint64_t tenths = cost / kTenth + (cost % kTenth != 0 ? 1 : 0);
  return "estimated cost of all expressions exceeds the limit by factor of " +
         std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + "x";
}

}  // namespace plimsoll::api
