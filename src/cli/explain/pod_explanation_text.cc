#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cli/explain/pod_explanation.h"

namespace plimsoll::cli {
namespace {

constexpr std::size_t kFitsShown = 5;
constexpr std::size_t kVictimsShown = 5;

using Text = std::back_insert_iterator<std::string>;

std::string Count(std::size_t count, std::string_view one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

std::string Fitting(std::size_t count) {
  return fmt::format("{} {}", Count(count, "node"), count == 1 ? "fits" : "fit");
}

std::string Ordinal(std::size_t rank) {
  const bool is_teen = rank % 100 / 10 == 1;
  const std::string_view ending = is_teen          ? "th"
                                  : rank % 10 == 1 ? "st"
                                  : rank % 10 == 2 ? "nd"
                                  : rank % 10 == 3 ? "rd"
                                                   : "th";
  return fmt::format("{}{}", rank, ending);
}

void PrintFunnel(const Placement& placement, Text out) {
  fmt::format_to(out, "{}", Count(placement.nodes, "node"));
  for (const FunnelStage& stage : placement.funnel) {
    fmt::format_to(out, " → {} after {}", stage.left, stage.title);
  }
  fmt::format_to(out, "\n");
}

void PrintReasons(const Placement& placement, Text out) {
  std::string_view plugin;
  for (const RefusalReason& reason : placement.reasons) {
    if (reason.plugin != plugin) {
      fmt::format_to(out, "\n{} ({}):\n", TitleOf(reason.plugin), reason.plugin);
      plugin = reason.plugin;
    }
    fmt::format_to(out, "  {}: {}\n", Count(reason.nodes, "node"), reason.text);
    if (reason.nearest.text.empty()) {
      fmt::format_to(out, "    {} {}\n", reason.nodes == 1 ? "it is" : "such as",
                     reason.nearest.node);
    } else {
      fmt::format_to(out, "    {}{}: {}\n",
                     reason.nodes == 1 ? "" : "nearest: ", reason.nearest.node,
                     reason.nearest.text);
    }
  }
}

void PrintFits(const Placement& placement, Text out) {
  fmt::format_to(out, "\n{}:\n", Fitting(placement.fits.size()));
  for (std::size_t i = 0; i < std::min(kFitsShown, placement.fits.size()); ++i) {
    const NodeScore& fit = placement.fits[i];
    fmt::format_to(out, "  {}: score {}", fit.node, fit.total);
    std::string_view separator = " = ";
    for (const auto& [plugin, score] : fit.plugins) {
      if (score == 0) continue;
      fmt::format_to(out, "{}{} {}", separator, plugin, score);
      separator = " + ";
    }
    fmt::format_to(out, "\n");
  }
  if (placement.fits.size() > kFitsShown) {
    fmt::format_to(out, "  and {} more\n", placement.fits.size() - kFitsShown);
  }
}

void PrintPreemption(const PreemptionPlan& plan, Text out) {
  if (plan.node.empty()) {
    if (!plan.message.empty()) fmt::format_to(out, "\n{}\n", plan.message);
    return;
  }
  fmt::format_to(out, "\npreemption: would make room on {} by evicting {}:", plan.node,
                 Count(plan.victims.size(), "pod"));
  for (std::size_t i = 0; i < plan.victims.size(); ++i) {
    if (i == kVictimsShown) {
      fmt::format_to(out, " …");
      break;
    }
    fmt::format_to(out, "{} {}", i == 0 ? "" : ",", plan.victims[i]);
  }
  fmt::format_to(out, "\n");
}

void PrintPlacement(const Placement& placement, Text out) {
  PrintFunnel(placement, out);
  if (!placement.error.empty()) fmt::format_to(out, "error: {}\n", placement.error);
  if (!placement.message.empty()) fmt::format_to(out, "{}\n", placement.message);
  PrintReasons(placement, out);
  if (!placement.fits.empty()) PrintFits(placement, out);
  if (placement.preemption) PrintPreemption(*placement.preemption, out);
}

void PrintEviction(const PendingEviction& eviction, Text out) {
  if (!eviction.at) {
    fmt::format_to(out, "It is to be evicted at once: {}\n", eviction.why);
  } else if (eviction.is_time_certain) {
    fmt::format_to(out, "It is to be evicted at {}: {}\n", FormatTime(*eviction.at), eviction.why);
  } else {
    fmt::format_to(out, "It is to be evicted by {}, as nobody wrote when the taint was set: {}\n",
                   FormatTime(*eviction.at), eviction.why);
  }
}

void PrintBinding(const PodExplanation& explanation, Text out) {
  const Binding& bound = *explanation.bound;
  if (!bound.verdicts) {
    fmt::format_to(out, "That node is gone.\n");
  } else if (bound.verdicts->accepts()) {
    const std::size_t rank = explanation.placement.RankOf(bound.node);
    const auto& fits = explanation.placement.fits;
    fmt::format_to(out, "It would be accepted there again: ");
    if (fits.empty() || rank == 0) {
      fmt::format_to(out, "no filter refuses it.\n");
    } else if (fits[rank - 1].total == fits.front().total) {
      fmt::format_to(out, "score {}, the best; {}.\n", fits[rank - 1].total, Fitting(fits.size()));
    } else {
      fmt::format_to(out, "score {}, {} of {}; {} has {}.\n", fits[rank - 1].total, Ordinal(rank),
                     fits.size(), fits.front().node, fits.front().total);
    }
  } else {
    fmt::format_to(out, "It would not be accepted there again:\n");
    for (const scheduler::Verdict& refusal : bound.verdicts->refusals) {
      fmt::format_to(out, "  {}: {}\n", TitleOf(refusal.plugin), refusal.Message());
    }
    if (bound.verdicts->is_excluded) fmt::format_to(out, "  the pod itself leaves that node out\n");
  }
  if (bound.eviction) PrintEviction(*bound.eviction, out);
  fmt::format_to(out, "\nWere it placed now: ");
}

void PrintNode(const NodeDetail& detail, Text out) {
  const NodeVerdicts& verdicts = detail.verdicts;
  fmt::format_to(out, "\nnode {}: {}\n", verdicts.node,
                 verdicts.accepts() ? "accepts the pod" : "refuses the pod");
  if (verdicts.is_excluded) fmt::format_to(out, "  the pod itself leaves it out\n");
  for (const scheduler::Verdict& refusal : verdicts.refusals) {
    fmt::format_to(out, "  {}: {}\n", TitleOf(refusal.plugin), refusal.Message());
  }
  for (const std::string& line : match::Refusals(detail.diagnosis)) {
    fmt::format_to(out, "    {}\n", line);
  }
  for (const std::string& line : match::Advisories(detail.diagnosis)) {
    fmt::format_to(out, "    dislikes: {}\n", line);
  }
}

std::string_view VerdictOf(const Placement& placement) {
  if (!placement.error.empty()) return "could not be judged";
  return placement.fits.empty() ? "no node can take it" : "can be placed";
}

}  // namespace

std::string ToText(const PodExplanation& explanation) {
  std::string text;
  const Text out(text);
  const api::Pod& pod = *explanation.pod->As<api::Pod>();
  fmt::format_to(out, "Pod {}/{}: ", pod.metadata.namespace_, pod.metadata.name);
  if (explanation.is_terminal) {
    fmt::format_to(out, "has ended ({}); it needs no node any more\n", pod.status.phase);
    return text;
  }
  if (explanation.bound) {
    fmt::format_to(out, "bound to {}", explanation.bound->node);
    if (!explanation.bound->since.empty())
      fmt::format_to(out, " since {}", explanation.bound->since);
    fmt::format_to(out, "\n");
  } else {
    fmt::format_to(out, "{}\n", VerdictOf(explanation.placement));
  }
  if (explanation.is_terminating) fmt::format_to(out, "It is being deleted.\n");
  if (explanation.names_other_scheduler) {
    fmt::format_to(out, "{} scheduler {}; this is what {} would say.\n",
                   explanation.bound ? "It belongs to" : "It waits for", pod.spec.scheduler_name,
                   explanation.profile);
  }
  if (!explanation.bound && !explanation.placement.gated.empty()) {
    fmt::format_to(out, "Nobody tries it yet: {}. Once it may go:\n", explanation.placement.gated);
  }
  if (explanation.bound) PrintBinding(explanation, out);
  PrintPlacement(explanation.placement, out);
  for (const NodeDetail& detail : explanation.nodes) PrintNode(detail, out);
  return text;
}

}  // namespace plimsoll::cli
