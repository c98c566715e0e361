#pragma once

#include <string>
#include <vector>

#include "cli/context.h"
#include "cli/preview/change_nodes.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

struct TaintNodeOptions {
  std::vector<std::string> arguments;  // NODE… TAINT…
  std::string selector;
  std::string lasts;   // --for; empty: until somebody removes the taint
  std::string reason;  // for people who read the rule of an expiring taint
  PreviewOptions preview;
};

void AddTaintNodeFlags(CLI::App& command, TaintNodeOptions& options);

/// Taints nodes or removes taints, after showing whom that evicts and asking.
int RunTaintNode(const TaintNodeOptions& options, Context& context);

struct CordonOptions {
  std::vector<std::string> nodes;
  std::string selector;
  bool is_uncordon = false;
  PreviewOptions preview;
};

/// REQUIRES: `is_uncordon` is set.
void AddCordonFlags(CLI::App& command, CordonOptions& options);

/// Marks nodes as unschedulable, or as schedulable.
int RunCordon(const CordonOptions& options, Context& context);

}  // namespace plimsoll::cli
