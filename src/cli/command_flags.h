#pragma once

#include "cli/explain.h"
#include "cli/get_devices.h"
#include "cli/kubelet.h"
#include "cli/taint_device.h"
#include "cli/up.h"

namespace CLI {
class App;
}

/// Flags of single commands. server_flags.h has those that several commands share.
namespace plimsoll::cli {

void AddExplainPodFlags(CLI::App& command, ExplainOptions& options);
void AddGetDevicesFlags(CLI::App& command, GetDevicesOptions& options);
void AddTaintDeviceFlags(CLI::App& command, TaintDeviceOptions& options);
void AddKubeletFlags(CLI::App& command, KubeletOptions& options);
void AddUpFlags(CLI::App& command, UpOptions& options);

}  // namespace plimsoll::cli
