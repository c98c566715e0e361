#include "apiserver/server/version.h"

#include <fmt/format.h>

namespace plimsoll::apiserver {

std::string_view CompilerText() {
#if defined(__clang__)
  return "clang " __clang_version__;
#else
  return "gcc " __VERSION__;
#endif
}

std::string VersionJson() {
  return fmt::format(
      R"({{"major":"1","minor":"37","gitVersion":"{}+plimsoll","gitCommit":"","gitTreeState":"",)"
      R"("buildDate":"1970-01-01T00:00:00Z","goVersion":"","compiler":"{}",)"
      R"("platform":"linux/amd64"}})",
      kKubernetesVersion, CompilerText());
}

}  // namespace plimsoll::apiserver
