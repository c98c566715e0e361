#include "cli/explain/placement_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace plimsoll::cli {
namespace {

constexpr std::size_t kFitsShown = 5;
constexpr std::size_t kVictimsShown = 5;

void AddFunnel(const Placement& placement, std::string_view lead, TextLines& out) {
  StyledText line(std::string(lead) + CountText(placement.nodes, "node"));
  for (const FunnelStage& stage : placement.funnel) {
    line.Add(" → ").Add(fmt::format("{} after {}", stage.left, stage.title),
                        stage.left == 0 ? Style::Bad : Style::Plain);
  }
  out.Add(line);
}

void AddReasons(const Placement& placement, TextLines& out) {
  std::string_view plugin;
  for (const RefusalReason& reason : placement.reasons) {
    if (reason.plugin != plugin) {
      out.Blank();
      out.Add(fmt::format("{} ({}):", TitleOf(reason.plugin), reason.plugin), Style::Heading);
      plugin = reason.plugin;
    }
    out.Add(fmt::format("  {}: {}", CountText(reason.nodes, "node"), reason.text));
    if (reason.nearest.text.empty()) {
      out.Add(
          fmt::format("    {} {}", reason.nodes == 1 ? "it is" : "such as", reason.nearest.node));
    } else {
      out.Add(fmt::format("    {}{}: {}", reason.nodes == 1 ? "" : "nearest: ", reason.nearest.node,
                          reason.nearest.text));
    }
  }
}

void AddFits(const Placement& placement, bool is_wide, TextLines& out) {
  const std::size_t shown =
      is_wide ? placement.fits.size() : std::min(kFitsShown, placement.fits.size());
  out.Blank();
  out.Add(fmt::format("{}:", FittingText(placement.fits.size())), Style::Good);
  for (std::size_t i = 0; i < shown; ++i) {
    const NodeScore& fit = placement.fits[i];
    std::string line = fmt::format("  {}: score {}", fit.node, fit.total);
    std::string_view separator = " = ";
    for (const auto& [plugin, score] : fit.plugins) {
      if (score == 0) continue;
      line += fmt::format("{}{} {}", separator, plugin, score);
      separator = " + ";
    }
    out.Add(line);
  }
  if (placement.fits.size() > shown) {
    out.Add(fmt::format("  and {} more; -o wide shows them", placement.fits.size() - shown));
  }
}

void AddPreemption(const PreemptionPlan& plan, TextLines& out) {
  if (plan.node.empty()) {
    if (plan.message.empty()) return;
    out.Blank();
    out.Add(plan.message);
    return;
  }
  std::string victims;
  for (std::size_t i = 0; i < plan.victims.size(); ++i) {
    if (i == kVictimsShown) {
      victims += " …";
      break;
    }
    victims += fmt::format("{} {}", i == 0 ? "" : ",", plan.victims[i]);
  }
  out.Blank();
  out.Add(fmt::format("preemption: would make room on {} by evicting {}:{}", plan.node,
                      CountText(plan.victims.size(), "pod"), victims));
}

}  // namespace

std::string FittingText(std::size_t count) {
  return fmt::format("{} {}", CountText(count, "node"), count == 1 ? "fits" : "fit");
}

void AddPlacement(const Placement& placement, std::string_view lead, TextLines& out, bool is_wide) {
  AddFunnel(placement, lead, out);
  if (!placement.error.empty()) {
    out.Add(StyledText("error", Style::Bad).Add(": " + placement.error));
  }
  if (!placement.message.empty()) out.Add(placement.message);
  AddReasons(placement, out);
  if (!placement.fits.empty()) AddFits(placement, is_wide, out);
  if (placement.preemption) AddPreemption(*placement.preemption, out);
}

}  // namespace plimsoll::cli
