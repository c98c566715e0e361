#include "api/feature_gates.h"

namespace plimsoll::api {
namespace {

constexpr FeatureSpec kSpecs[] = {
    {Feature::TaintTolerationComparisonOperators, "TaintTolerationComparisonOperators",
     FeatureStage::Beta, true},
    {Feature::TaintTolerationNodeAffinitySemverComparisonOperators,
     "TaintTolerationNodeAffinitySemverComparisonOperators", FeatureStage::Beta, true},
    {Feature::TaintTolerationCEL, "TaintTolerationCEL", FeatureStage::Beta, true},
    {Feature::DRADeviceTaints, "DRADeviceTaints", FeatureStage::GA, true},
    {Feature::DRADeviceTaintRules, "DRADeviceTaintRules", FeatureStage::GA, true},
    {Feature::ThresholdEvictionGrace, "ThresholdEvictionGrace", FeatureStage::Beta, true},
    {Feature::MutablePVNodeAffinity, "MutablePVNodeAffinity", FeatureStage::Alpha, false},
};

}  // namespace

FeatureGates::FeatureGates() {
  for (const FeatureSpec& spec : kSpecs) Set(spec.feature, spec.default_on);
}

std::span<const FeatureSpec> FeatureGates::All() { return kSpecs; }

}  // namespace plimsoll::api
