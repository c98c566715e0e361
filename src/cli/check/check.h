#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/context.h"
#include "cli/flags/output_flag.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

struct CheckOptions {
  std::vector<std::string> paths;  // files, directories, or `-`
  std::vector<std::string> nodes;  // more nodes to compare thresholds with; not checked
  OutputFormat output = OutputFormat::Text;
  std::string field_validation = "strict";
  std::string feature_gates;
  std::string namespace_ = "default";
  bool strict_hints = false;
};

void AddCheckFlags(CLI::App& command, CheckOptions& options);

/// Validates manifests like the API server on create, and gives hints on valid but probably
/// unintended values. Returns kExitFindings for errors, and for hints with `strict_hints`.
int RunCheck(const CheckOptions& options, Context& context);

}  // namespace plimsoll::cli
