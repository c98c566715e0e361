#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cli/explain/pod_answer.h"

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

void PrintFunnel(const PodExplanation& placement, Text out) {
  fmt::format_to(out, "{}", Count(placement.nodes, "node"));
  for (const FunnelStage& stage : placement.funnel) {
    fmt::format_to(out, " → {} after {}", stage.left, stage.title);
  }
  fmt::format_to(out, "\n");
}

void PrintReasons(const PodExplanation& placement, Text out) {
  std::string_view plugin;
  for (const ExplainedReason& reason : placement.reasons) {
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

void PrintFits(const PodExplanation& placement, Text out) {
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

void PrintPlacement(const PodExplanation& placement, Text out) {
  PrintFunnel(placement, out);
  if (!placement.error.empty()) fmt::format_to(out, "error: {}\n", placement.error);
  if (!placement.message.empty()) fmt::format_to(out, "{}\n", placement.message);
  PrintReasons(placement, out);
  if (!placement.fits.empty()) PrintFits(placement, out);
  if (placement.preemption) PrintPreemption(*placement.preemption, out);
}

void PrintLeaving(const PendingEviction& leaves, Text out) {
  if (!leaves.at) {
    fmt::format_to(out, "It is to be evicted at once: {}\n", leaves.why);
  } else if (leaves.is_time_certain) {
    fmt::format_to(out, "It is to be evicted at {}: {}\n", FormatTime(*leaves.at), leaves.why);
  } else {
    fmt::format_to(out, "It is to be evicted by {}, as nobody wrote when the taint was set: {}\n",
                   FormatTime(*leaves.at), leaves.why);
  }
}

void PrintBound(const PodAnswer& answer, Text out) {
  const BoundTo& bound = *answer.bound;
  if (!bound.again) {
    fmt::format_to(out, "That node is gone.\n");
  } else if (bound.again->accepts()) {
    const std::size_t rank = answer.placement.RankOf(bound.node);
    const auto& fits = answer.placement.fits;
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
    for (const scheduler::Verdict& refusal : bound.again->refusals) {
      fmt::format_to(out, "  {}: {}\n", TitleOf(refusal.plugin), refusal.Message());
    }
    if (bound.again->is_left_out) fmt::format_to(out, "  the pod itself leaves that node out\n");
  }
  if (bound.leaves) PrintLeaving(*bound.leaves, out);
  fmt::format_to(out, "\nWere it placed now: ");
}

void PrintNode(const NodeDetail& detail, Text out) {
  const NodeVerdicts& opinion = detail.opinion;
  fmt::format_to(out, "\nnode {}: {}\n", opinion.node,
                 opinion.accepts() ? "accepts the pod" : "refuses the pod");
  if (opinion.is_left_out) fmt::format_to(out, "  the pod itself leaves it out\n");
  for (const scheduler::Verdict& refusal : opinion.refusals) {
    fmt::format_to(out, "  {}: {}\n", TitleOf(refusal.plugin), refusal.Message());
  }
  for (const std::string& line : match::Refusals(detail.diagnosis)) {
    fmt::format_to(out, "    {}\n", line);
  }
  for (const std::string& line : match::Advisories(detail.diagnosis)) {
    fmt::format_to(out, "    dislikes: {}\n", line);
  }
}

std::string_view VerdictOf(const PodExplanation& placement) {
  if (!placement.error.empty()) return "could not be judged";
  return placement.fits.empty() ? "no node can take it" : "can be placed";
}

}  // namespace

std::string ToText(const PodAnswer& answer) {
  std::string text;
  const Text out(text);
  const api::Pod& pod = *answer.pod->As<api::Pod>();
  fmt::format_to(out, "Pod {}/{}: ", pod.metadata.namespace_, pod.metadata.name);
  if (answer.is_done) {
    fmt::format_to(out, "has ended ({}); it needs no node any more\n", pod.status.phase);
    return text;
  }
  if (answer.bound) {
    fmt::format_to(out, "bound to {}", answer.bound->node);
    if (!answer.bound->since.empty()) fmt::format_to(out, " since {}", answer.bound->since);
    fmt::format_to(out, "\n");
  } else {
    fmt::format_to(out, "{}\n", VerdictOf(answer.placement));
  }
  if (answer.is_terminating) fmt::format_to(out, "It is being deleted.\n");
  if (answer.is_foreign) {
    fmt::format_to(out, "{} scheduler {}; this is what {} would say.\n",
                   answer.bound ? "It belongs to" : "It waits for", pod.spec.scheduler_name,
                   answer.profile);
  }
  if (!answer.bound && !answer.placement.gated.empty()) {
    fmt::format_to(out, "Nobody tries it yet: {}. Once it may go:\n", answer.placement.gated);
  }
  if (answer.bound) PrintBound(answer, out);
  PrintPlacement(answer.placement, out);
  for (const NodeDetail& detail : answer.nodes) PrintNode(detail, out);
  return text;
}

}  // namespace plimsoll::cli
