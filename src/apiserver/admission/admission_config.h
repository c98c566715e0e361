#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "apiserver/admission/pod_security_options.h"
#include "base/result.h"

namespace plimsoll::apiserver {

/// Parses the file of --admission-control-config-file: an `AdmissionConfiguration` of
/// `apiserver.config.k8s.io/v1`. It contains the configuration of plugins or paths of files with
/// them, which `read_file` reads. Only the plugin PodSecurity has a configuration. Fails with
/// Invalid; the message names the field.
Result<PodSecurityOptions> ParseAdmissionConfig(
    std::string_view text, const std::function<Result<std::string>(const std::string&)>& read_file);

}  // namespace plimsoll::apiserver
