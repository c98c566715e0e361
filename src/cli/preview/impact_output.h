#pragma once

#include <string>

#include "cli/context.h"
#include "cli/explain/text_lines.h"
#include "cli/flags/output_flag.h"
#include "cli/preview/node_impact.h"
#include "codec/document.h"

namespace plimsoll::cli {

/// Headline of a preview, and what the pods that go are called in it.
struct ImpactTitle {
  std::string change;       // `Taint risk=8:NoExecute on 2 nodes: a, b`
  bool is_by_api = false;   // pods go through pods/eviction, which enforces budgets
  std::string unread_note;  // why policies are unknown; may be empty
};

/// Prints the impact for people. Wide shows every pod, Text groups them by workload.
void PrintImpact(const ImpactTitle& title, const NodeImpact& impact, OutputFormat format,
                 Context& context);

/// Returns the impact for programs.
codec::Value ImpactTree(const NodeImpact& impact, codec::Document& document);

/// Returns `1 node: a`, `7 nodes: a, b, c, d, e and 2 more`.
std::string NodesText(const std::vector<std::string>& nodes);

}  // namespace plimsoll::cli
