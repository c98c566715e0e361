#include <fmt/format.h>

#include "cli/explain/placement_text.h"
#include "cli/explain/pod_explanation.h"

namespace plimsoll::cli {
namespace {

std::string Ordinal(std::size_t rank) {
  const bool is_teen = rank % 100 / 10 == 1;
  const std::string_view ending = is_teen          ? "th"
                                  : rank % 10 == 1 ? "st"
                                  : rank % 10 == 2 ? "nd"
                                  : rank % 10 == 3 ? "rd"
                                                   : "th";
  return fmt::format("{}{}", rank, ending);
}

void AddEviction(const PendingEviction& eviction, TextLines& out) {
  if (!eviction.at) {
    out.Add(fmt::format("It is to be evicted at once: {}", eviction.why));
  } else if (eviction.is_time_certain) {
    out.Add(fmt::format("It is to be evicted at {}: {}", FormatTime(*eviction.at), eviction.why));
  } else {
    out.Add(fmt::format("It is to be evicted by {}, as nobody wrote when the taint was set: {}",
                        FormatTime(*eviction.at), eviction.why));
  }
}

void AddAcceptance(const PodExplanation& explanation, TextLines& out) {
  constexpr std::string_view kAgain = "It would be accepted there again: ";
  const std::size_t rank = explanation.placement.RankOf(explanation.bound->node);
  const auto& fits = explanation.placement.fits;
  if (fits.empty() || rank == 0) {
    out.Add(fmt::format("{}no filter refuses it.", kAgain));
  } else if (fits[rank - 1].total == fits.front().total) {
    out.Add(fmt::format("{}score {}, the best; {}.", kAgain, fits[rank - 1].total,
                        FittingText(fits.size())));
  } else {
    out.Add(fmt::format("{}score {}, {} of {}; {} has {}.", kAgain, fits[rank - 1].total,
                        Ordinal(rank), fits.size(), fits.front().node, fits.front().total));
  }
}

void AddBinding(const PodExplanation& explanation, TextLines& out) {
  const Binding& bound = *explanation.bound;
  if (!bound.verdicts) {
    out.Add("That node is gone.");
  } else if (bound.verdicts->accepts()) {
    AddAcceptance(explanation, out);
  } else {
    out.Add("It would not be accepted there again:");
    for (const scheduler::Verdict& refusal : bound.verdicts->refusals) {
      out.Add(fmt::format("  {}: {}", TitleOf(refusal.plugin), refusal.Message()));
    }
    if (bound.verdicts->is_excluded) out.Add("  the pod itself leaves that node out");
  }
  if (bound.eviction) AddEviction(*bound.eviction, out);
  out.Blank();
}

void AddNode(const NodeDetail& detail, TextLines& out) {
  const NodeVerdicts& verdicts = detail.verdicts;
  out.Blank();
  out.Add(fmt::format("node {}: {}", verdicts.node,
                      verdicts.accepts() ? "accepts the pod" : "refuses the pod"));
  if (verdicts.is_excluded) out.Add("  the pod itself leaves it out");
  for (const scheduler::Verdict& refusal : verdicts.refusals) {
    out.Add(fmt::format("  {}: {}", TitleOf(refusal.plugin), refusal.Message()));
  }
  for (const std::string& line : match::Refusals(detail.diagnosis))
    out.Add(fmt::format("    {}", line));
  for (const std::string& line : match::Advisories(detail.diagnosis)) {
    out.Add(fmt::format("    dislikes: {}", line));
  }
}

std::string_view VerdictOf(const Placement& placement) {
  if (!placement.error.empty()) return "could not be judged";
  return placement.fits.empty() ? "no node can take it" : "can be placed";
}

std::string HeadOf(const PodExplanation& explanation) {
  if (!explanation.bound) return std::string(VerdictOf(explanation.placement));
  std::string head = "bound to " + explanation.bound->node;
  if (!explanation.bound->since.empty()) head += " since " + explanation.bound->since;
  return head;
}

}  // namespace

std::string ToText(const PodExplanation& explanation) {
  TextLines out;
  const api::Pod& pod = *explanation.pod->As<api::Pod>();
  if (explanation.is_terminal) {
    out.Add(fmt::format("Pod {}/{}: has ended ({}); it needs no node any more",
                        pod.metadata.namespace_, pod.metadata.name, pod.status.phase));
    return out.text();
  }
  out.Add(fmt::format("Pod {}/{}: {}", pod.metadata.namespace_, pod.metadata.name,
                      HeadOf(explanation)));
  if (explanation.is_terminating) out.Add("It is being deleted.");
  if (explanation.names_other_scheduler) {
    out.Add(fmt::format("{} scheduler {}; this is what {} would say.",
                        explanation.bound ? "It belongs to" : "It waits for",
                        pod.spec.scheduler_name, explanation.profile));
  }
  if (!explanation.bound && !explanation.placement.gated.empty()) {
    out.Add(fmt::format("Nobody tries it yet: {}. Once it may go:", explanation.placement.gated));
  }
  if (explanation.bound) AddBinding(explanation, out);
  AddPlacement(explanation.placement, explanation.bound ? "Were it placed now: " : "", out);
  for (const NodeDetail& detail : explanation.nodes) AddNode(detail, out);
  return out.text();
}

}  // namespace plimsoll::cli
