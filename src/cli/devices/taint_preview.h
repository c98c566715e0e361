#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cli/devices/device_snapshot.h"
#include "match/toleration_time_rules.h"

namespace plimsoll::cli {

/// Devices that a rule selects, and pods that its taint would evict.
struct TaintImpact {
  std::vector<std::string> devices;  // published devices
  std::size_t claims = 0;            // number of claims with one of the devices
  std::size_t pods = 0;              // number of pods that use those claims
  std::size_t tolerating_pods = 0;   // number of these that would stay
  std::size_t delayed_pods = 0;      // number of these that would be evicted later
  std::int64_t delay_max_seconds = 0;
  std::map<std::string, std::size_t> evicted_by_namespace;

  std::size_t evicted() const;
};

/// Computes the impact as if the effect were NoExecute, to preview that before setting it.
TaintImpact ImpactOf(const DeviceSnapshot& snapshot, const api::DeviceTaintRule& rule,
                     const match::TolerationTimeRules& rules);

/// Returns the impact as text, one sentence per line.
std::string ImpactText(const TaintImpact& impact, const api::DeviceTaint& taint);

}  // namespace plimsoll::cli
