#pragma once

#include <string>

#include "cli/context.h"
#include "cli/flags/output_flag.h"
#include "client/client.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

struct GetDevicesOptions {
  std::string kubeconfig;
  std::string kube_context;  // context in it; empty: the current one
  OutputFormat output = OutputFormat::Text;
  std::string driver;  // empty: all
  std::string node;
  bool tainted_only = false;
};

void AddGetDevicesFlags(CLI::App& command, GetDevicesOptions& options);

/// Prints each device with its node, the claims and pods that use it, and its taints with their
/// source: the driver or a rule.
int RunGetDevices(const GetDevicesOptions& options, Context& context);
/// Same, for the server of `client`.
Status GetDevices(const GetDevicesOptions& options, const client::Client& client, Context& context);

}  // namespace plimsoll::cli
