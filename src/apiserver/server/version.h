#pragma once

#include <string>
#include <string_view>

namespace plimsoll::apiserver {

/// Version of the Kubernetes API that this server implements.
inline constexpr std::string_view kKubernetesVersion = "v1.37.0";

/// Returns the compiler that built this program: `gcc 12.2.0`.
std::string_view CompilerText();

/// Returns the response body of /version.
std::string VersionJson();

}  // namespace plimsoll::apiserver
