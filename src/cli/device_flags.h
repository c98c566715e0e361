#pragma once

#include "cli/get_devices.h"
#include "cli/taint_device.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

/// All flags of `get devices`.
void AddGetDevicesFlags(CLI::App& command, GetDevicesOptions& options);

/// All flags of `taint device`.
void AddTaintDeviceFlags(CLI::App& command, TaintDeviceOptions& options);

}  // namespace plimsoll::cli
