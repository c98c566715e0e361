#pragma once

#include "cli/apiserver/apiserver.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

/// For `apiserver` and `up`.
void AddApiserverFlags(CLI::App& command, ApiserverOptions& options);

}  // namespace plimsoll::cli
