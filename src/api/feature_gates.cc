#include "api/feature_gates.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/go_text.h"
#include "base/suggest.h"
#include "base/text/trim.h"

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
    {Feature::DRAConsumableCapacity, "DRAConsumableCapacity", FeatureStage::Beta, true},
    {Feature::DRADeviceBindingConditions, "DRADeviceBindingConditions", FeatureStage::Beta, true},
    {Feature::DRAPartitionableDevices, "DRAPartitionableDevices", FeatureStage::Beta, true},
    {Feature::ThresholdEvictionGrace, "ThresholdEvictionGrace", FeatureStage::Beta, true},
    {Feature::MutablePVNodeAffinity, "MutablePVNodeAffinity", FeatureStage::Alpha, false},
    {Feature::PlimsollTaintOwnership, "PlimsollTaintOwnership", FeatureStage::Beta, true},
};

/// Gates that are locked to true, so they are not Features. The names are still accepted, because
/// existing clusters set them.
constexpr std::string_view kLocked[] = {"DRAAdminAccess", "DRAExtendedResource",
                                        "DRAPrioritizedList", "DRAResourceClaimDeviceStatus",
                                        "DynamicResourceAllocation"};

struct StageSpec {
  std::string_view name;
  FeatureStage stage;
};
constexpr StageSpec kStages[] = {
    {"AllAlpha", FeatureStage::Alpha},
    {"AllBeta", FeatureStage::Beta},
};

/// A parsed `Name=true`; the name is not looked up yet.
struct Setting {
  std::string_view name;
  bool on = false;
};

/// Accepts the same texts as Go's strconv.ParseBool.
std::optional<bool> ParseBool(std::string_view text) {
  constexpr std::string_view kTrue[] = {"1", "t", "T", "true", "TRUE", "True"};
  constexpr std::string_view kFalse[] = {"0", "f", "F", "false", "FALSE", "False"};
  if (std::ranges::find(kTrue, text) != std::end(kTrue)) return true;
  if (std::ranges::find(kFalse, text) != std::end(kFalse)) return false;
  return std::nullopt;
}

Result<Setting> ParseSetting(std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::string_view name = TrimWhiteSpace(text.substr(0, equals));
  if (equals == std::string_view::npos) {
    return Fail(Reason::Invalid, "missing bool value for " + std::string(name));
  }
  const std::string_view value = TrimWhiteSpace(text.substr(equals + 1));
  const std::optional<bool> on = ParseBool(value);
  if (!on) {
    return Fail(Reason::Invalid, "invalid value of " + std::string(name) + "=" +
                                     std::string(value) + ", err: strconv.ParseBool: parsing " +
                                     GoQuote(value) + ": invalid syntax");
  }
  return Setting{name, *on};
}

Result<std::vector<Setting>> ParseSettings(std::string_view text) {
  std::vector<Setting> settings;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::string_view one = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!one.empty()) settings.push_back(PL_TRY(ParseSetting(one)));
  }
  return settings;
}

const FeatureSpec* FindFeature(std::string_view name) {
  const auto* found = std::ranges::find(kSpecs, name, &FeatureSpec::name);
  return found == std::end(kSpecs) ? nullptr : found;
}

const StageSpec* FindStage(std::string_view name) {
  const auto* found = std::ranges::find(kStages, name, &StageSpec::name);
  return found == std::end(kStages) ? nullptr : found;
}

Error UnknownGate(std::string_view name) {
  std::vector<std::string> known;
  for (const FeatureSpec& spec : kSpecs) known.emplace_back(spec.name);
  for (const StageSpec& stage : kStages) known.emplace_back(stage.name);
  Error error{Reason::Invalid, {}, "unrecognized feature gate: " + std::string(name)};
  if (const auto nearest = Nearest(name, known)) {
    error.message += " (did you mean " + *nearest + "?)";
  }
  return error;
}

}  // namespace

FeatureGates::FeatureGates() {
  for (const FeatureSpec& spec : kSpecs) Set(spec.feature, spec.default_on);
}

std::span<const FeatureSpec> FeatureGates::All() { return kSpecs; }

Status FeatureGates::Apply(std::string_view text) {
  const std::vector<Setting> settings = PL_TRY(ParseSettings(text));
  FeatureGates changed = *this;
  // Stages first, so that named gates override them regardless of their position.
  for (const Setting& setting : settings) {
    const StageSpec* stage = FindStage(setting.name);
    if (stage == nullptr) continue;
    for (const FeatureSpec& spec : kSpecs) {
      if (spec.stage == stage->stage) changed.Set(spec.feature, setting.on);
    }
  }
  for (const Setting& setting : settings) {
    if (FindStage(setting.name) != nullptr) continue;
    if (std::ranges::find(kLocked, setting.name) != std::end(kLocked)) {
      if (setting.on) continue;
      return Fail(Reason::Invalid, "cannot set feature gate " + std::string(setting.name) +
                                       " to false, feature is locked to true");
    }
    const FeatureSpec* spec = FindFeature(setting.name);
    if (spec == nullptr) return std::unexpected(UnknownGate(setting.name));
    changed.Set(spec->feature, setting.on);
  }
  *this = changed;
  return {};
}

}  // namespace plimsoll::api
