#pragma once

#include "cli/up.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

/// Of `up`.
void AddUpFlags(CLI::App& command, UpOptions& options);

}  // namespace plimsoll::cli
