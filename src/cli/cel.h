#pragma once

#include <string>
#include <vector>

#include "cli/context.h"

namespace plimsoll::cli {

struct CelOptions {
  std::vector<std::string> expressions;    // `-` reads them from standard input, one a line
  std::string environment = "toleration";  // toleration, device
  std::vector<std::string> taints;         // key=value:Effect
  std::vector<std::string> devices;        // files with ResourceSlices
  std::string output = "text";             // text, json
  bool explain = false;
};

/// The type and the static cost of each expression, or its faults with a caret below. kExitFindings
/// when one would be refused.
int RunCelCheck(const CelOptions& options, Context& context);

/// The value and the run-time cost of each expression for each taint or device. kExitFindings when
/// an expression does not compile.
int RunCelEval(const CelOptions& options, Context& context);

}  // namespace plimsoll::cli
