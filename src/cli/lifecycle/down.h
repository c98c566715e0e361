#pragma once

#include <string>

#include "cli/apiserver/apiserver.h"
#include "cli/context.h"
#include "cli/flags/output_flag.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

struct DownOptions {
  std::string data_directory = kDefaultDataDirectory;
  bool purges = false;  // also delete the data directory
  std::string timeout = "60s";
  OutputFormat output = OutputFormat::Text;
};

void AddDownFlags(CLI::App& command, DownOptions& options);

/// Stops the process that uses the data directory, and removes what `up` merged into the user's
/// kubeconfig. Returns kExitOk also if nothing runs.
int RunDown(const DownOptions& options, Context& context);

}  // namespace plimsoll::cli
