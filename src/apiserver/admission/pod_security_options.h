#pragma once

#include <set>
#include <string>

#include "api/podsecurity/policy.h"

namespace plimsoll::apiserver {

using ExemptNames = std::set<std::string, std::less<>>;

/// Configuration of the admission plugin PodSecurity.
struct PodSecurityOptions {
  api::PodSecurityPolicy defaults;  // for namespaces without labels
  ExemptNames usernames;
  ExemptNames runtime_classes;
  ExemptNames namespaces;
};

}  // namespace plimsoll::apiserver
