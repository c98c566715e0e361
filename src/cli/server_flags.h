#pragma once

#include <string>
#include <string_view>

#include "cli/apiserver.h"
#include "cli/controller_manager.h"
#include "cli/pages_auth.h"
#include "cli/scheduler.h"

namespace CLI {
class App;
}

/// Flags that several commands share.
namespace plimsoll::cli {

inline constexpr std::string_view kGatesHelp = "Features to switch, as Name=true,Other=false";

/// For commands that connect to a server like kubectl.
void AddKubeconfigFlag(CLI::App& command, std::string& kubeconfig);
/// For components with a secure port for health and metrics.
void AddPagesFlags(CLI::App& command, PagesFlags& flags);
/// For `apiserver` and `up`.
void AddServingFlags(CLI::App& command, ApiserverOptions& options);
/// For `scheduler` and `up`.
void AddSchedulingFlags(CLI::App& command, std::string_view config_flag, SchedulerOptions& options);
/// For `controller-manager` and `up`.
void AddControllerFlags(CLI::App& command, ControllerFlags& flags);
/// For components that run as separate processes.
void AddComponentFlags(CLI::App& command, SchedulerOptions& options);
void AddComponentFlags(CLI::App& command, ControllerManagerOptions& options);

}  // namespace plimsoll::cli
