#pragma once

#include <string>
#include <vector>

#include "cli/context.h"
#include "cli/flags/output_flag.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

struct CelOptions {
  std::vector<std::string> expressions;    // `-` reads them from standard input, one per line
  std::string environment = "toleration";  // toleration or device
  std::vector<std::string> taints;         // key=value:Effect
  std::vector<std::string> devices;        // files with ResourceSlices
  OutputFormat output = OutputFormat::Text;
  bool explain = false;
};

void AddCelCheckFlags(CLI::App& command, CelOptions& options);
void AddCelEvalFlags(CLI::App& command, CelOptions& options);

/// Prints the type and static cost of each expression, or its errors with a caret. Returns
/// kExitFindings if the API server would reject one.
int RunCelCheck(const CelOptions& options, Context& context);

/// Prints the value and runtime cost of each expression for each taint or device. Returns
/// kExitFindings if an expression does not compile.
int RunCelEval(const CelOptions& options, Context& context);

}  // namespace plimsoll::cli
