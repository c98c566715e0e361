#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cli/device_view.h"
#include "match/stay_rules.h"

namespace plimsoll::cli {

/// What a rule selects, and whom its taint would evict.
struct TaintImpact {
  std::vector<std::string> devices;  // published ones
  std::size_t claims = 0;            // that have one of the devices
  std::size_t pods = 0;              // that use those claims
  std::size_t tolerating_pods = 0;   // of these, such as would stay
  std::size_t delayed_pods = 0;      // such as would stay for a while
  std::int64_t delay_max_seconds = 0;
  std::map<std::string, std::size_t> evicted_by_namespace;

  std::size_t evicted() const;
};

/// As if the taint's effect was NoExecute, since it is for whoever wants to know before it is.
TaintImpact ImpactOf(const DeviceView& view, const api::DeviceTaintRule& rule,
                     const match::StayRules& rules);

/// The impact in sentences, a line each.
std::string ImpactText(const TaintImpact& impact, const api::DeviceTaint& taint);

}  // namespace plimsoll::cli
