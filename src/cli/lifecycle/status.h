#pragma once

#include <string>

#include "cli/apiserver/apiserver.h"
#include "cli/context.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

struct StatusOptions {
  std::string data_directory = kDefaultDataDirectory;
  std::string output = "text";  // text, json or yaml
};

void AddStatusFlags(CLI::App& command, StatusOptions& options);

/// Prints what runs on a data directory, in the foreground or in the background, and how it is.
/// Returns kExitOk if a process runs, else kExitFindings.
int RunStatus(const StatusOptions& options, Context& context);

}  // namespace plimsoll::cli
