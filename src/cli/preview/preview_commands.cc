#include "cli/preview/preview_commands.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/flags/command_tree.h"

namespace plimsoll::cli {

void PreviewCommands::Add(CLI::App& app, CLI::App& taint, Run& run) {
  CLI::App* const lines =
      AddGrouped(app, kPlacementGroup, "lines",
                 "Show how near pods are to the thresholds of their tolerations");
  AddLinesFlags(*lines, lines_);
  lines->callback(
      [this, &run] { run = [this](Context& context) { return RunLines(lines_, context); }; });
  CLI::App* const node =
      taint.add_subcommand("node", "Taint nodes, or remove taints; shows first whom that evicts");
  AddTaintNodeFlags(*node, taint_node_);
  node->callback([this, &run] {
    run = [this](Context& context) { return RunTaintNode(taint_node_, context); };
  });
  CLI::App* const rule = taint.add_subcommand(
      "rule", "Apply a NodeTaintRule or DeviceTaintRule; shows first whom it evicts");
  AddTaintRuleFlags(*rule, taint_rule_);
  rule->callback([this, &run] {
    run = [this](Context& context) { return RunTaintRule(taint_rule_, context); };
  });
  AddNodeCommands(app, run);
  AddEvictions(app, run);
}

void PreviewCommands::AddNodeCommands(CLI::App& app, Run& run) {
  CLI::App* const cordon =
      AddGrouped(app, kPlacementGroup, "cordon", "Keep new pods away from nodes");
  AddCordonFlags(*cordon, cordon_);
  cordon->callback(
      [this, &run] { run = [this](Context& context) { return RunCordon(cordon_, context); }; });
  uncordon_.is_uncordon = true;
  CLI::App* const uncordon =
      AddGrouped(app, kPlacementGroup, "uncordon", "Let new pods come to nodes again");
  AddCordonFlags(*uncordon, uncordon_);
  uncordon->callback(
      [this, &run] { run = [this](Context& context) { return RunCordon(uncordon_, context); }; });
  CLI::App* const drain =
      AddGrouped(app, kPlacementGroup, "drain",
                 "Cordon nodes and evict their pods; shows first where they would run");
  AddDrainFlags(*drain, drain_);
  drain->callback(
      [this, &run] { run = [this](Context& context) { return RunDrain(drain_, context); }; });
}

void PreviewCommands::AddEvictions(CLI::App& app, Run& run) {
  CLI::App* const parent =
      AddGrouped(app, kPlacementGroup, "evictions",
                 "List evictions that wait, run or are held back; pause, resume or cancel them");
  AddEvictionsFlags(*parent, evictions_);
  parent->callback([this, &run, parent] {
    if (!parent->get_subcommands().empty()) return;
    run = [this](Context& context) { return RunEvictions(evictions_, context); };
  });
  const auto add = [&](const char* name, const char* purpose, EvictionChange change) {
    CLI::App* const command = parent->add_subcommand(name, purpose);
    AddEvictionChangeFlags(*command, change, eviction_change_);
    command->callback([this, &run, change] {
      run = [this, change](Context& context) {
        return RunEvictionChange(change, eviction_change_, context);
      };
    });
  };
  add("pause", "Hold back all evictions that an EvictionPolicy selects", EvictionChange::Pause);
  add("resume", "Let evictions go on, also after a tripped breaker", EvictionChange::Resume);
  add("cancel", "Withdraw the eviction of a pod, or tell what must change for it",
      EvictionChange::Cancel);
}

std::vector<std::string> WithTaintedFile(std::vector<std::string> arguments) {
  const auto taint = std::ranges::find(arguments, "taint");
  if (taint == arguments.end() || taint + 1 == arguments.end()) return arguments;
  const std::string& next = *(taint + 1);
  if (next == "-f" || next == "--filename" || next.starts_with("--filename=") ||
      (next.starts_with("-f") && !next.starts_with("--"))) {
    arguments.insert(taint + 1, "rule");
  }
  return arguments;
}

}  // namespace plimsoll::cli
