#pragma once

#include <string>
#include <string_view>

namespace plimsoll::apiserver {

/// The Kubernetes whose API this is.
inline constexpr std::string_view kGitVersion = "v1.37.0-rc.1";

/// What /version answers.
std::string VersionJson();

}  // namespace plimsoll::apiserver
