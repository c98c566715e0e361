#pragma once

#include <bitset>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/result.h"

namespace plimsoll::api {

/// Feature gates that the code consults. To add one, add a name here
/// and a row in feature_gates.cc.
enum class Feature : std::uint8_t {
  TaintTolerationComparisonOperators,
  TaintTolerationNodeAffinitySemverComparisonOperators,
  TaintTolerationCEL,
  DRADeviceTaints,
  DRADeviceTaintRules,
  DRAConsumableCapacity,
  DRADeviceBindingConditions,
  DRAPartitionableDevices,
  ThresholdEvictionGrace,
  MutablePVNodeAffinity,
  PlimsollTaintOwnership,
  EvictionRequestAPI,
  kCount,
};

enum class FeatureStage : std::uint8_t { Alpha, Beta, GA };

struct FeatureSpec {
  Feature feature;
  std::string_view name;
  FeatureStage stage;
  bool default_on;
};

/// Set of enabled features. A small value: pass it by value or const reference.
class FeatureGates {
 public:
  /// Enables the defaults of the table.
  FeatureGates();

  bool Enabled(Feature feature) const { return on_[static_cast<std::size_t>(feature)]; }
  void Set(Feature feature, bool on) { on_[static_cast<std::size_t>(feature)] = on; }

  /// Parses `A=true,B=false`. `AllAlpha` and `AllBeta` set whole stages; gates named individually
  /// take precedence. Invalid for an unknown name (suggests the nearest), a non-boolean value, or
  /// an attempt to disable a locked gate. On failure nothing is changed.
  Status Apply(std::string_view text);

  static std::span<const FeatureSpec> All();

 private:
  std::bitset<static_cast<std::size_t>(Feature::kCount)> on_;
};

}  // namespace plimsoll::api
