#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/object.h"

namespace plimsoll::dra {

struct CompiledClaims;

/// A device config of an allocation: its source, and the requests it applies to (empty: all).
struct AllocatedConfig {
  bool is_from_class = false;
  std::vector<std::string> requests;
  const api::DeviceConfig* config = nullptr;
};

/// Allocation of one claim on a node, before it is written to the claim's status. `result.source`
/// and `result.allocation_timestamp` are not set. The last three members own the data that the
/// others point to.
struct Allocation {
  api::AllocationResult result;
  std::vector<AllocatedConfig> config;
  /// For each result, the tolerations of its request as in the claim; null: none.
  std::vector<const codec::Value*> tolerations;
  std::vector<std::shared_ptr<const api::Object>> objects;
  std::shared_ptr<const CompiledClaims> claims;
  std::vector<std::shared_ptr<const std::string>> texts;

  /// Returns `status.allocation` as JSON. Includes the timestamp (RFC 3339) if it is not empty.
  std::string ToJson(std::string_view allocation_timestamp = {}) const;
};

}  // namespace plimsoll::dra
