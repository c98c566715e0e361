#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/context.h"

namespace plimsoll::cli {

struct CheckOptions {
  std::vector<std::string> paths;  // files, directories, `-`
  std::vector<std::string> nodes;  // more nodes to compare thresholds with; not checked themselves
  std::string output = "text";     // text, json
  std::string field_validation = "strict";
  std::string feature_gates;
  std::string namespace_ = "default";
  bool strict_hints = false;
};

/// Validates manifests as the API server would on create, and hints at what is valid but probably
/// not meant. kExitFindings on errors, and on hints with `strict_hints`.
int RunCheck(const CheckOptions& options, Context& context);

}  // namespace plimsoll::cli
