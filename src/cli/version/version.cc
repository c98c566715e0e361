#include "cli/version/version.h"

#include <ostream>

#include "apiserver/server/version.h"
#include "codec/json.h"
#include "codec/yaml.h"

namespace plimsoll::cli {
int RunVersion(const VersionOptions& options, Context& context) {
  if (options.output == "text") {
    context.out << "plimsoll " << kVersion << " (Kubernetes API " << apiserver::kKubernetesVersion
                << ")\n";
    return kExitOk;
  }
  codec::Document document;
  codec::Value& root = document.root();
  root = document.NewObject();
  document.Set(root, "version", document.NewString(kVersion));
  document.Set(root, "kubernetesVersion", document.NewString(apiserver::kKubernetesVersion));
  document.Set(root, "compiler", document.NewString(apiserver::ThisBuild().compiler));
  context.out << (options.output == "json" ? codec::WriteJsonPretty(root) + "\n"
                                           : codec::WriteYaml(root));
  return kExitOk;
}

}  // namespace plimsoll::cli
