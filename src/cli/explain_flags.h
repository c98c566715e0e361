#pragma once

#include "cli/explain.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

/// All flags of `explain pod`.
void AddExplainPodFlags(CLI::App& command, ExplainOptions& options);

}  // namespace plimsoll::cli
