#pragma once

#include <string>
#include <vector>

#include "base/clock.h"
#include "cli/context.h"
#include "cli/flags/output_flag.h"
#include "cli/preview/node_impact.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

/// Flags that all commands with --preview share.
struct PreviewOptions {
  bool is_preview = false;
  bool is_confirmed = false;       // --yes
  std::vector<std::string> files;  // the cluster, instead of that of a server
  OutputFormat output = OutputFormat::Text;
  std::string kubeconfig;
  std::string kube_context;  // empty: the current one
  std::string feature_gates;
};

/// Adds --preview, --yes, --cluster, -o, --kubeconfig, --context and --feature-gates.
void AddPreviewFlags(CLI::App& command, PreviewOptions& options);

/// Returns Invalid for flags that contradict each other.
Status CheckPreviewOptions(const PreviewOptions& options);

/// Reads the cluster from the files if there are any, else from the server.
Result<PreviewCluster> ReadPreviewCluster(const PreviewOptions& options, Clock& clock,
                                          Context& context);

/// Returns the nodes of the cluster with these names, and those that the selector matches. Returns
/// Invalid if neither names nor a selector are given.
Result<std::vector<ObjectPtr>> SelectNodes(const PreviewCluster& cluster,
                                           const std::vector<std::string>& names,
                                           const std::string& selector);

/// Asks the user. Returns true for a yes, and without a question with --yes. Returns Invalid if
/// standard input is no terminal.
Result<bool> Confirm(const std::string& question, bool is_confirmed, Context& context);

}  // namespace plimsoll::cli
