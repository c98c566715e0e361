#include "cli/flags/common_flags.h"

#include <CLI/CLI.hpp>

namespace plimsoll::cli {

void AddKubeconfigFlag(CLI::App& command, std::string& kubeconfig) {
  command
      .add_option("--kubeconfig", kubeconfig,
                  "How to reach the API server; otherwise $KUBECONFIG or ~/.kube/config")
      ->type_name("FILE");
}

void AddFeatureGatesFlag(CLI::App& command, std::string& feature_gates) {
  command.add_option("--feature-gates", feature_gates,
                     "Features to switch, as Name=true,Other=false");
}

}  // namespace plimsoll::cli
