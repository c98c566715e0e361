#include "apiserver/server/version.h"

#include <fmt/format.h>

namespace plimsoll::apiserver {

BuildInfo ThisBuild() {
#if defined(__clang__)
  return {.compiler = "clang " __clang_version__};
#else
  return {.compiler = "gcc " __VERSION__};
#endif
}

std::string VersionJson() {
  const BuildInfo build = ThisBuild();
  return fmt::format(
      R"({{"major":"{}","minor":"{}","gitVersion":"{}","gitCommit":"{}","gitTreeState":"{}",)"
      R"("buildDate":"{}","goVersion":"{}","compiler":"{}","platform":"{}"}})",
      build.major, build.minor, build.git_version, build.git_commit, build.git_tree_state,
      build.build_date, build.go_version, build.compiler, build.platform);
}

}  // namespace plimsoll::apiserver
