#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/context.h"
#include "cli/preview/change_nodes.h"
#include "cli/preview/preview_cluster.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

struct TaintRuleOptions {
  std::vector<std::string> rules;    // files with NodeTaintRules and DeviceTaintRules
  std::optional<std::string> value;  // of the taint, if the rule's source is not known here
  bool is_removal = false;
  PreviewOptions preview;
};

void AddTaintRuleFlags(CLI::App& command, TaintRuleOptions& options);

/// Applies or deletes rules of files, after showing whom their taints evict and asking.
int RunTaintRule(const TaintRuleOptions& options, Context& context);

/// Returns the taints that the NodeTaintRule sets, or removes, on the nodes of the cluster. The
/// value comes from `spec.value.constant`, an annotation, or `value`. Returns Invalid if the rule
/// takes it from elsewhere.
Result<NodesChange> ChangeOfRule(const api::Object& rule, const PreviewCluster& cluster,
                                 const std::optional<std::string>& value, bool is_removal);

}  // namespace plimsoll::cli
