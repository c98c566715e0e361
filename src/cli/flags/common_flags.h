#pragma once

#include <string>

namespace CLI {
class App;
}

/// Flags that many commands share.
namespace plimsoll::cli {

/// For commands that connect to a server like kubectl.
void AddKubeconfigFlag(CLI::App& command, std::string& kubeconfig);
void AddFeatureGatesFlag(CLI::App& command, std::string& feature_gates);

/// Help text of --profiling.
inline constexpr const char* kProfilingHelp =
    "Serve CPU and heap profiles under /debug/pprof/ to those who may read that path";

}  // namespace plimsoll::cli
