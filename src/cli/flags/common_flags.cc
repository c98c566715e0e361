#include "cli/flags/common_flags.h"

#include <CLI/CLI.hpp>

namespace plimsoll::cli {

void AddKubeconfigFlag(CLI::App& command, std::string& kubeconfig) {
  command
      .add_option("--kubeconfig", kubeconfig,
                  "Kubeconfig that names the API server and the credentials. Without it the files "
                  "of $KUBECONFIG, or ~/.kube/config")
      ->type_name("FILE");
}

void AddServerFlags(CLI::App& command, std::string& kubeconfig, std::string& context) {
  AddKubeconfigFlag(command, kubeconfig);
  command
      .add_option("--context", context,
                  "Context of the kubeconfig to use instead of its current-context")
      ->type_name("CONTEXT");
}

void AddFeatureGatesFlag(CLI::App& command, std::string& feature_gates) {
  command
      .add_option("--feature-gates", feature_gates,
                  "Feature gates to switch on or off: Name=true,Other=false")
      ->type_name("GATES");
}

}  // namespace plimsoll::cli
