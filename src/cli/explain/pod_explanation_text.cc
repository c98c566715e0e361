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
  const std::size_t rank = explanation.placement.RankOf(explanation.bound->node);
  const auto& fits = explanation.placement.fits;
  StyledText line("It would be ");
  line.Add("accepted", Style::Good).Add(" there again: ");
  if (fits.empty() || rank == 0) {
    line.Add("no filter refuses it.");
  } else if (fits[rank - 1].total == fits.front().total) {
    line.Add(
        fmt::format("score {}, the best; {}.", fits[rank - 1].total, FittingText(fits.size())));
  } else {
    line.Add(fmt::format("score {}, {} of {}; {} has {}.", fits[rank - 1].total, Ordinal(rank),
                         fits.size(), fits.front().node, fits.front().total));
  }
  out.Add(line);
}

void AddBinding(const PodExplanation& explanation, TextLines& out) {
  const Binding& bound = *explanation.bound;
  if (!bound.verdicts) {
    out.Add("That node is gone.", Style::Bad);
  } else if (bound.verdicts->accepts()) {
    AddAcceptance(explanation, out);
  } else {
    out.Add(StyledText("It would ").Add("not be accepted", Style::Bad).Add(" there again:"));
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
  out.Add(StyledText(fmt::format("node {}: ", verdicts.node), Style::Heading)
              .Add(verdicts.accepts() ? "accepts the pod" : "refuses the pod",
                   verdicts.accepts() ? Style::Good : Style::Bad));
  if (verdicts.is_excluded) out.Add("  the pod itself leaves it out");
  for (const scheduler::Verdict& refusal : verdicts.refusals) {
    out.Add(fmt::format("  {}: {}", TitleOf(refusal.plugin), refusal.Message()));
  }
  for (const std::string& line : match::Refusals(detail.diagnosis))
    out.Add(fmt::format("    {}", line));
  for (const std::string& line : match::Advisories(detail.diagnosis)) {
    out.Add(StyledText("    ").Add("dislikes", Style::Warning).Add(": " + line));
  }
}

std::string_view VerdictOf(const Placement& placement) {
  if (!placement.error.empty()) return "could not be judged";
  return placement.fits.empty() ? "no node can take it" : "can be placed";
}

StyledText HeadOf(const PodExplanation& explanation) {
  const api::Pod& pod = *explanation.pod->As<api::Pod>();
  StyledText head(fmt::format("Pod {}/{}: ", pod.metadata.namespace_, pod.metadata.name),
                  Style::Heading);
  if (explanation.is_terminal) {
    return head.Add(fmt::format("has ended ({}); it needs no node any more", pod.status.phase));
  }
  if (!explanation.bound) {
    const bool fits = !explanation.placement.fits.empty();
    return head.Add(VerdictOf(explanation.placement), fits ? Style::Good : Style::Bad);
  }
  head.Add("bound to " + explanation.bound->node);
  if (!explanation.bound->since.empty()) head.Add(" since " + explanation.bound->since);
  return head;
}

}  // namespace

StyledText ToText(const PodExplanation& explanation, bool is_wide) {
  TextLines out;
  const api::Pod& pod = *explanation.pod->As<api::Pod>();
  out.Add(HeadOf(explanation));
  if (explanation.is_terminal) return out.text();
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
  AddPlacement(explanation.placement, explanation.bound ? "Were it placed now: " : "", out,
               is_wide);
  for (const NodeDetail& detail : explanation.nodes) AddNode(detail, out);
  return out.text();
}

}  // namespace plimsoll::cli
