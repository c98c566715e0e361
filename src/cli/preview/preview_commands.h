#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/context.h"
#include "cli/evictions/eviction_change.h"
#include "cli/evictions/evictions.h"
#include "cli/lines/lines.h"
#include "cli/preview/drain.h"
#include "cli/preview/taint_node.h"
#include "cli/preview/taint_rule.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

/// The commands about evictions, with their options: lines, taint node, taint rule, cordon,
/// uncordon, drain, evictions.
class PreviewCommands {
 public:
  using Run = std::function<int(Context&)>;

  /// Adds the commands to the program and to `taint`. Parsing one of them sets `run`. REQUIRES:
  /// `run` and this live as long as the program.
  void Add(CLI::App& app, CLI::App& taint, Run& run);

 private:
  void AddNodeCommands(CLI::App& app, Run& run);
  void AddEvictions(CLI::App& app, Run& run);

  LinesOptions lines_;
  TaintNodeOptions taint_node_;
  TaintRuleOptions taint_rule_;
  CordonOptions cordon_;
  CordonOptions uncordon_;
  DrainOptions drain_;
  EvictionsOptions evictions_;
  EvictionChangeOptions eviction_change_;
};

/// Returns the arguments with `taint rule -f` instead of `taint -f`.
std::vector<std::string> WithTaintedFile(std::vector<std::string> arguments);

}  // namespace plimsoll::cli
