#pragma once

#include <string>
#include <string_view>

namespace plimsoll::apiserver {

/// The Kubernetes whose API this is.
inline constexpr std::string_view kKubernetesVersion = "v1.37.0";

/// What this program was built with: `gcc 12.2.0`.
std::string_view CompilerText();

/// What /version answers.
std::string VersionJson();

}  // namespace plimsoll::apiserver
