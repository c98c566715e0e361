#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "api/validation/device/findings.h"
#include "api/validation/device/go_value.h"
#include "codec/value.h"

namespace plimsoll::api {

/// Checks a device of a slice. `before` is the device of that name in the stored slice; null if
/// there is none. Unchanged taints and capacities are not checked again.
void CheckDevice(const codec::Value& device, const codec::Value* before,
                 bool slice_leaves_nodes_to_devices, const FieldPath& at, DeviceFindings& out);

/// Returns true if the device has features that lower the number of devices per slice.
bool IsAdvanced(const codec::Value& device);

/// Differences between the lists of named counter sets.
struct CounterSetRules {
  std::size_t count_max = 0;
  std::string_view name_field;
  GoType type;  // of a set
};
/// Checks that each set has a unique name and 1 to 32 counters.
void CheckCounterSets(std::span<const codec::Value> sets, const CounterSetRules& rules,
                      const FieldPath& at, DeviceFindings& out);

/// Returns the names, each in `quote`, separated by commas.
std::string Listed(std::span<const std::string_view> names, std::string_view quote);

}  // namespace plimsoll::api
