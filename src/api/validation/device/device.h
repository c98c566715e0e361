#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "api/validation/device/findings.h"
#include "api/validation/device/go_value.h"
#include "codec/value.h"

namespace plimsoll::api {

/// A device of a slice. `before` is the device of that name in the slice as it was, null when there
/// was none: its taints and capacities, when they are unchanged, are not looked at again.
void CheckDevice(const codec::Value& device, const codec::Value* before,
                 bool slice_leaves_nodes_to_devices, const FieldPath& at, DeviceFindings& out);

/// Whether the device has what limits how many may stand in one slice.
bool IsAdvanced(const codec::Value& device);

/// What lists of named sets of counters differ in.
struct CounterSetRules {
  std::size_t count_max = 0;
  std::string_view name_field;
  GoType type;  // of a set
};
/// Each set has a name, which no other has, and at least one counter, at most 32.
void CheckCounterSets(std::span<const codec::Value> sets, const CounterSetRules& rules,
                      const FieldPath& at, DeviceFindings& out);

/// With commas between them, and quotes around each.
std::string Listed(std::span<const std::string_view> names, std::string_view quote);

}  // namespace plimsoll::api
