#include "cli/components/component_metrics.h"

#include "apiserver/server/version.h"
#include "base/process_metrics.h"

namespace plimsoll::cli {

ComponentMetrics::ComponentMetrics() {
  AddProcessMetrics(registry_);
  const apiserver::BuildInfo build = apiserver::ThisBuild();
  registry_
      .AddGauges({.name = "kubernetes_build_info",
                  .help =
                      "A metric with a constant '1' value labeled by major, minor, git version, "
                      "git commit, git tree state, build date, Go version, and compiler from "
                      "which Kubernetes was built, and platform on which it is running.",
                  .labels = {"major", "minor", "git_version", "git_commit", "git_tree_state",
                             "build_date", "go_version", "compiler", "platform"}})
      .With({build.major, build.minor, build.git_version, build.git_commit, build.git_tree_state,
             build.build_date, build.go_version, build.compiler, build.platform})
      .Set(1);
}

}  // namespace plimsoll::cli
