#pragma once

#include <string>

#include "cli/apiserver/apiserver.h"
#include "cli/context.h"
#include "cli/flags/output_flag.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

struct StatusOptions {
  std::string data_directory = kDefaultDataDirectory;
  OutputFormat output = OutputFormat::Text;
};

void AddStatusFlags(CLI::App& command, StatusOptions& options);

/// Prints what runs on a data directory, in the foreground or in the background, and how it is.
/// Returns kExitOk if a process runs, else kExitFindings.
int RunStatus(const StatusOptions& options, Context& context);

}  // namespace plimsoll::cli
