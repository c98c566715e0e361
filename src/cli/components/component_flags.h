#pragma once

#include <string_view>

#include "cli/components/controller_manager.h"
#include "cli/components/kubelet.h"
#include "cli/components/scheduler.h"

namespace CLI {
class App;
}

/// Flags of `scheduler`, `controller-manager` and `kubelet`.
namespace plimsoll::cli {

void AddSchedulerFlags(CLI::App& command, SchedulerOptions& options);
void AddControllerManagerFlags(CLI::App& command, ControllerManagerOptions& options);
void AddKubeletFlags(CLI::App& command, KubeletOptions& options);

/// Flags of the scheduling itself, for `scheduler` and `up`.
void AddSchedulingFlags(CLI::App& command, std::string_view config_flag, SchedulerOptions& options);
/// Flags of the controllers, for `controller-manager` and `up`.
void AddControllerFlags(CLI::App& command, ControllerFlags& flags);
/// Flags for the number and behaviour of nodes, for `kubelet` and `up`.
void AddNodeFlags(CLI::App& command, KubeletOptions& options);

}  // namespace plimsoll::cli
