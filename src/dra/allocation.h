#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/resource/resource_claim.h"

namespace plimsoll::dra {

/// A config of an allocation: where it comes from and for which requests it is meant; none: all.
struct AllocatedConfig {
  bool is_from_class = false;
  std::vector<std::string> requests;
  const api::DeviceConfig* config = nullptr;
};

/// What one claim gets on a node, before it is in the claim's status. `result.source` and
/// `result.allocation_timestamp` are not set. Keeps alive what its members point to.
struct Allocation {
  api::AllocationResult result;
  std::vector<AllocatedConfig> config;
  /// For each result the list of tolerations as its request has it; null: none.
  std::vector<const codec::Value*> tolerations;
  std::vector<std::shared_ptr<const void>> keeps;

  /// `status.allocation` as JSON. With a timestamp (RFC 3339) that becomes a part of it.
  std::string ToJson(std::string_view allocation_timestamp = {}) const;
};

}  // namespace plimsoll::dra
