#include "api/decode/read.h"
#include "api/schema/fields.h"

namespace plimsoll::api {

namespace {

void DecodeStatus(const codec::Value& tree, PodDisruptionBudget& out) {
  using F = fields::policy_v1::PodDisruptionBudgetStatus;
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kDisruptionsAllowed:
        Decode(value, out.disruptions_allowed);
        break;
      case F::kDisruptedPods:
        for (const codec::Member& pod : value.members()) out.disrupted_pods.push_back(pod.key);
        break;
      default:
        break;
    }
  }
}

}  // namespace

void Decode(const codec::Value& tree, PodDisruptionBudget& out) {
  using F = fields::policy_v1::PodDisruptionBudget;
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kMetadata:
        Decode(value, out.metadata);
        break;
      case F::kSpec:
        for (const codec::Member& member : value.members()) {
          if (member.field == fields::policy_v1::PodDisruptionBudgetSpec::kSelector) {
            Decode(member.value, out.selector);
          }
        }
        break;
      case F::kStatus:
        DecodeStatus(value, out);
        break;
      default:
        break;
    }
  }
}

}  // namespace plimsoll::api
