#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/time.h"
#include "cli/context.h"
#include "cli/preview/node_writer.h"
#include "cli/preview/preview_cluster.h"

namespace plimsoll::cli {

/// A change of nodes that a command previews, asks about and writes.
struct NodesChange {
  std::vector<std::string> names;
  std::string selector;
  ChangeOfNode change;
  std::vector<std::string> taint_keys;
  std::string title;          // `Taint risk=8:NoExecute on`
  std::string done;           // `tainted`
  std::string field_manager;  // `plimsoll-taint`
  /// Returns a NodeTaintRule as JSON that makes the change of these nodes, instead of a write to
  /// the nodes; null: the nodes are written.
  std::function<Result<std::string>(const std::vector<std::string>&, Instant)> make_rule;
};

/// Shows the impact of the change, asks, and writes it. Returns false if the user declines, and
/// NotFound if a named node does not exist.
Result<bool> ChangeNodes(const NodesChange& change, const PreviewOptions& options,
                         Context& context);

/// Returns the exit code, and prints the error if there is one.
int ReportChange(const Result<bool>& result, Context& context);

}  // namespace plimsoll::cli
