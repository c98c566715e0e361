#include "cli/preview/taint_node.h"

#include <CLI/CLI.hpp>

#include "cli/flags/duration_flag.h"
#include "cli/node_taints/expiring_rule.h"
#include "cli/output/failure.h"
#include "cli/preview/node_change.h"

namespace plimsoll::cli {
namespace {

/// Names of nodes contain none of these characters, and do not end with a dash.
bool IsTaint(const std::string& word) {
  return word.ends_with('-') || word.find_first_of("=:") != std::string::npos;
}

/// Makes the taint end with --for.
Status AddExpiry(const TaintNodeOptions& options, const std::vector<TaintEdit>& edits,
                 NodesChange& change) {
  if (options.lasts.empty()) {
    if (options.reason.empty()) return {};
    return FailAt(Reason::Invalid, "--reason", "is for a taint that ends: add --for");
  }
  const Duration lasts = PL_TRY(ParseDurationFlag("--for", options.lasts));
  if (edits.size() != 1 || edits.front().is_removal) {
    return FailAt(Reason::Invalid, "--for", "want one taint to set");
  }
  change.title = "For " + options.lasts + ", taint " + edits.front().Text() + " on";
  change.make_rule = [edit = edits.front(), lasts, reason = options.reason](
                         const std::vector<std::string>& nodes, Instant now) {
    return MakeExpiringRule({nodes, edit.key, edit.value, edit.effect, lasts, reason}, now);
  };
  return {};
}

/// Returns the change that the arguments describe.
Result<NodesChange> ParseTaintNode(const TaintNodeOptions& options) {
  NodesChange change;
  std::vector<TaintEdit> edits;
  for (const std::string& word : options.arguments) {
    if (IsTaint(word)) {
      edits.push_back(PL_TRY(ParseTaintEdit(word)));
    } else if (edits.empty()) {
      change.names.push_back(word);
    } else {
      return Fail(Reason::Invalid, "\"" + word +
                                       "\" is no taint: want key=value:Effect or key:Effect, or "
                                       "key- to remove it. Nodes come before taints");
    }
  }
  if (edits.empty()) {
    return Fail(Reason::Invalid,
                "which taint? Write key=value:Effect or key:Effect, or key- to remove it");
  }
  if (!change.names.empty() && !options.selector.empty()) {
    return Fail(Reason::Invalid, "names of nodes and -l exclude each other");
  }
  bool has_additions = false;
  std::string texts;
  for (const TaintEdit& edit : edits) {
    has_additions = has_additions || !edit.is_removal;
    change.taint_keys.push_back(edit.key);
    texts += (texts.empty() ? "" : ", ") + edit.Text();
  }
  change.selector = options.selector;
  change.title = "Taint " + texts + " on";
  change.done = has_additions ? "tainted" : "untainted";
  change.field_manager = "plimsoll-taint";
  PL_TRY(AddExpiry(options, edits, change));
  change.change = [edits = std::move(edits)](const ObjectPtr& node) {
    return WithTaints(node, edits);
  };
  return change;
}

/// Returns the change of `cordon` or `uncordon`.
NodesChange ChangeOfCordon(const CordonOptions& options) {
  NodesChange change;
  change.names = options.nodes;
  change.selector = options.selector;
  change.title = options.is_uncordon ? "Uncordon" : "Cordon";
  change.done = options.is_uncordon ? "uncordoned" : "cordoned";
  change.field_manager = "plimsoll-cordon";
  change.change = [is_cordon = !options.is_uncordon](const ObjectPtr& node) {
    return WithUnschedulable(node, is_cordon);
  };
  return change;
}

}  // namespace

void AddTaintNodeFlags(CLI::App& command, TaintNodeOptions& options) {
  command
      .add_option("words", options.arguments,
                  "Names of nodes, unless -l selects them, and taints: key=value:Effect or "
                  "key:Effect. Effects are NoExecute, NoSchedule and PreferNoSchedule. key- and "
                  "key:Effect- remove the taint")
      ->type_name("[NODE...] TAINT...");
  command.add_option("-l,--selector", options.selector, "Taint the nodes whose labels match")
      ->type_name("SELECTOR");
  command
      .add_option("--for", options.lasts,
                  "Time after which the taint ends. The command then writes a NodeTaintRule that "
                  "expires, instead of the nodes")
      ->type_name("DURATION");
  command
      .add_option("--reason", options.reason,
                  "Reason of the taint, for people who read the NodeTaintRule")
      ->type_name("TEXT");
  AddPreviewFlags(command, options.preview);
}

int RunTaintNode(const TaintNodeOptions& options, Context& context) {
  const auto change = ParseTaintNode(options);
  if (!change) return ReportFailure(change.error(), context);
  return ReportChange(ChangeNodes(*change, options.preview, context), context);
}

void AddCordonFlags(CLI::App& command, CordonOptions& options) {
  command.add_option("nodes", options.nodes, "Names of nodes")->type_name("NODE");
  command.add_option("-l,--selector", options.selector, "Change the nodes whose labels match")
      ->type_name("SELECTOR");
  AddPreviewFlags(command, options.preview);
}

int RunCordon(const CordonOptions& options, Context& context) {
  return ReportChange(ChangeNodes(ChangeOfCordon(options), options.preview, context), context);
}

}  // namespace plimsoll::cli
