#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cli/explain/node_explanation.h"
#include "cli/explain/placement.h"
#include "cli/explain/text_lines.h"

namespace plimsoll::cli {
namespace {

constexpr std::size_t kPodsShown = 20;
constexpr std::size_t kReasonsShown = 10;

void AddTaint(const NodeTaint& taint, TextLines& out) {
  out.Blank();
  const std::string since =
      taint.taint->time_added.empty() ? "" : fmt::format(" since {}", taint.taint->time_added);
  const TaintTolerances& all = taint.tolerances;
  const bool keeps_away = taint.taint->effect != "PreferNoSchedule";
  out.Add(
      StyledText(fmt::format("taint {}{}:", api::ToText(*taint.taint), since), Style::Heading)
          .Add(" tolerated by ")
          .Add(CountText(all.tolerating, "pod"), all.tolerating > 0 ? Style::Good : Style::Plain)
          .Add(", ")
          .Add(fmt::format("not by {}", all.refusing),
               all.refusing > 0 && keeps_away ? Style::Bad : Style::Plain));
  for (const ToleranceGroup& group : taint.tolerances.groups) {
    const std::string margin = group.margin.empty() ? "" : fmt::format(", margin {}", group.margin);
    out.Add(fmt::format("  {} by {}{}: {}", CountText(group.pods.size(), "pod"), group.toleration,
                        margin, out.List(group.pods)));
  }
}

void AddPod(const PodOnNode& pod, TextLines& out) {
  StyledText line("  " + pod.name);
  if (!pod.phase.empty()) line.Add(" " + pod.phase);
  if (pod.is_terminating) line.Add(", ").Add("terminating", Style::Warning);
  if (pod.eviction) {
    const std::string when = !pod.eviction->at ? "at once"
                             : pod.eviction->is_time_certain
                                 ? "at " + FormatTime(*pod.eviction->at)
                                 : "by " + FormatTime(*pod.eviction->at);
    line.Add(", ").Add("is to be evicted " + when, Style::Bad).Add(": " + pod.eviction->why);
  }
  out.Add(line);
}

void AddPods(const NodeExplanation& one, TextLines& out) {
  out.Blank();
  out.Add(StyledText("pods on it:", Style::Heading)
              .Add(fmt::format(" {} of at most {}", one.pods.size(), one.pods_max)));
  const std::size_t shown = out.is_wide() ? one.pods.size() : std::min(kPodsShown, one.pods.size());
  for (std::size_t i = 0; i < shown; ++i) AddPod(one.pods[i], out);
  if (one.pods.size() > shown) {
    out.Add(fmt::format("  and {} more; -o wide shows them", one.pods.size() - shown));
  }
}

void AddAnswer(std::string_view title, const NodeAnswer& answer, TextLines& out) {
  std::size_t refused = 0;
  for (const RefusedPods& one : answer.refused) refused += one.pods.size();
  if (refused + answer.accepted.size() == 0) return;
  out.Blank();
  out.Add(StyledText(fmt::format("{}:", title), Style::Heading)
              .Add(" ")
              .Add(fmt::format("{} could run here", CountText(answer.accepted.size(), "pod")),
                   answer.accepted.empty() ? Style::Plain : Style::Good)
              .Add(", ")
              .Add(fmt::format("{} could not", refused), refused > 0 ? Style::Bad : Style::Plain));
  if (!answer.accepted.empty())
    out.Add(fmt::format("  could run here: {}", out.List(answer.accepted)));
  const std::size_t shown =
      out.is_wide() ? answer.refused.size() : std::min(kReasonsShown, answer.refused.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const RefusedPods& one = answer.refused[i];
    const std::string_view title_of = one.plugin.empty() ? "node" : TitleOf(one.plugin);
    out.Add(fmt::format("  {}: {}: {}", CountText(one.pods.size(), "pod"), title_of, one.reason));
    out.Add(fmt::format("    {}", out.List(one.pods)));
  }
  if (answer.refused.size() > shown) {
    out.Add(fmt::format("  and {}; -o wide shows them",
                        CountText(answer.refused.size() - shown, "more reason")));
  }
}

}  // namespace

StyledText ToText(const NodeExplanation& one, bool is_wide) {
  TextLines out(is_wide);
  StyledText head(fmt::format("Node {}: ", one.node->metadata().name), Style::Heading);
  head.Add(fmt::format("{}, ", CountText(one.pods.size(), "pod")));
  head.Add(CountText(one.taints.size(), "taint"),
           one.taints.empty() ? Style::Plain : Style::Warning);
  if (one.is_unschedulable) head.Add(", ").Add("unschedulable", Style::Bad);
  out.Add(head);
  for (const NodeResource& resource : one.resources) {
    out.Add(fmt::format("{}: {} of {} free", resource.name, resource.free, resource.allocatable));
  }
  for (const NodeTaint& taint : one.taints) AddTaint(taint, out);
  AddPods(one, out);
  AddAnswer("waiting pods", one.waiting, out);
  AddAnswer("pods on other nodes", one.elsewhere, out);
  if (one.unjudged > 0) {
    out.Blank();
    out.Add(fmt::format("{} of further groups were not judged", CountText(one.unjudged, "pod")));
  }
  return out.text();
}

std::vector<std::string> NamesIn(const NodeExplanation& one) {
  std::set<std::string> names;
  for (const PodOnNode& pod : one.pods) {
    names.insert("pod/" + pod.name.substr(pod.name.find('/') + 1));
  }
  return {names.begin(), names.end()};
}

}  // namespace plimsoll::cli
