#pragma once

#include <string>
#include <string_view>

namespace plimsoll::apiserver {

/// Version of the Kubernetes API that this server implements.
inline constexpr std::string_view kKubernetesVersion = "v1.37.0";

/// Description of this build, with the fields of upstream's version.Info.
struct BuildInfo {
  std::string_view major = "1";
  std::string_view minor = "37";
  std::string git_version = std::string(kKubernetesVersion) + "+plimsoll";
  std::string_view git_commit = "";
  std::string_view git_tree_state = "";
  std::string_view build_date = "1970-01-01T00:00:00Z";
  std::string_view go_version = "";
  std::string_view compiler;  // gcc 12.2.0
  std::string_view platform = "linux/amd64";
};

BuildInfo ThisBuild();

/// Returns the response body of /version.
std::string VersionJson();

}  // namespace plimsoll::apiserver
