#include "cli/version.h"

#include <ostream>

#include "codec/json.h"
#include "codec/yaml.h"

namespace plimsoll::cli {
namespace {

std::string Compiler() {
#if defined(__clang__)
  return "clang " __clang_version__;
#else
  return "gcc " __VERSION__;
#endif
}

}  // namespace

int RunVersion(const VersionOptions& options, Context& context) {
  if (options.output == "text") {
    context.out << "plimsoll " << kVersion << " (Kubernetes API " << kKubernetesVersion << ")\n";
    return kExitOk;
  }
  codec::Document document;
  codec::Value& root = document.root();
  root = document.NewObject();
  document.Set(root, "version", document.NewString(kVersion));
  document.Set(root, "kubernetesVersion", document.NewString(kKubernetesVersion));
  document.Set(root, "compiler", document.NewString(Compiler()));
  context.out << (options.output == "json" ? codec::WriteJsonPretty(root) + "\n"
                                           : codec::WriteYaml(root));
  return kExitOk;
}

}  // namespace plimsoll::cli
