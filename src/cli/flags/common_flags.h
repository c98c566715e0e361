#pragma once

#include <string>

namespace CLI {
class App;
class Option;
}  // namespace CLI

/// Flags that many commands share. The name of a flag's value says what completion offers for it:
/// NODE, NAMESPACE, FILE and so on, see completion.cc.
namespace plimsoll::cli {

/// For components, which connect to a server like kubectl.
void AddKubeconfigFlag(CLI::App& command, std::string& kubeconfig);
/// For commands of users: --kubeconfig and --context.
void AddServerFlags(CLI::App& command, std::string& kubeconfig, std::string& context);
void AddFeatureGatesFlag(CLI::App& command, std::string& feature_gates);

/// Help text of --profiling.
inline constexpr const char* kProfilingHelp =
    "Serve CPU and heap profiles below /debug/pprof/. Readers need the right to get that path";

}  // namespace plimsoll::cli
