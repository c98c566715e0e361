#include "cli/version/version.h"

#include <fmt/format.h>

#include <ostream>

#include "apiserver/server/version.h"
#include "cli/output/tree_output.h"

namespace plimsoll::cli {

std::string VersionLine() {
  return fmt::format("plimsoll {} (Kubernetes API {})", kVersion, apiserver::kKubernetesVersion);
}

int RunVersion(const VersionOptions& options, Context& context) {
  if (!IsTree(options.output)) {
    context.out << VersionLine() << '\n';
    return kExitOk;
  }
  codec::Document document;
  codec::Value& root = document.root();
  root = document.NewObject();
  document.Set(root, "version", document.NewString(kVersion));
  document.Set(root, "kubernetesVersion", document.NewString(apiserver::kKubernetesVersion));
  document.Set(root, "compiler", document.NewString(apiserver::ThisBuild().compiler));
  WriteTree(root, options.output, context.out);
  return kExitOk;
}

}  // namespace plimsoll::cli
