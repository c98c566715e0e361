#pragma once

#include "api/validation/device/findings.h"
#include "codec/value.h"

namespace plimsoll::api {

/// A device of a slice. `before` is the device of that name in the slice as it was, null when there
/// was none: its taints and capacities, when they are unchanged, are not looked at again.
void CheckDevice(const codec::Value& device, const codec::Value* before,
                 bool slice_leaves_nodes_to_devices, const FieldPath& at, DeviceFindings& out);

/// Whether the device has what limits how many may stand in one slice.
bool IsAdvanced(const codec::Value& device);

/// Named counters: at least one, at most 32.
void CheckCounters(const codec::Value& holder, const FieldPath& at, DeviceFindings& out);

}  // namespace plimsoll::api
