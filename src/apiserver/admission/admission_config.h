#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "apiserver/admission/pod_security_options.h"
#include "base/result.h"

namespace plimsoll::apiserver {

/// Reads the file of --admission-control-config-file: an `AdmissionConfiguration` of
/// `apiserver.config.k8s.io/v1` with the configuration of plugins, each in the file or in a file of
/// its own, which `read_file` reads; its path is as the file gives it. PodSecurity is the only
/// plugin that takes a configuration. Invalid names the field at fault.
Result<PodSecurityOptions> ParseAdmissionConfig(
    std::string_view text, const std::function<Result<std::string>(const std::string&)>& read_file);

}  // namespace plimsoll::apiserver
