#include <fmt/format.h>

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
  out.Add(fmt::format("taint {}{}: tolerated by {}, not by {}", api::ToText(*taint.taint), since,
                      CountText(taint.tolerances.tolerating, "pod"), taint.tolerances.refusing));
  for (const ToleranceGroup& group : taint.tolerances.groups) {
    const std::string margin = group.margin.empty() ? "" : fmt::format(", margin {}", group.margin);
    out.Add(fmt::format("  {} by {}{}: {}", CountText(group.pods.size(), "pod"), group.toleration,
                        margin, ListText(group.pods)));
  }
}

void AddPod(const PodOnNode& pod, TextLines& out) {
  std::string line = pod.name;
  if (!pod.phase.empty()) line += " " + pod.phase;
  if (pod.is_terminating) line += ", terminating";
  if (pod.eviction) {
    const std::string when = !pod.eviction->at ? "at once"
                             : pod.eviction->is_time_certain
                                 ? "at " + FormatTime(*pod.eviction->at)
                                 : "by " + FormatTime(*pod.eviction->at);
    line += fmt::format(", is to be evicted {}: {}", when, pod.eviction->why);
  }
  out.Add(fmt::format("  {}", line));
}

void AddPods(const NodeExplanation& one, TextLines& out) {
  out.Blank();
  out.Add(fmt::format("pods on it: {} of at most {}", one.pods.size(), one.pods_max));
  for (std::size_t i = 0; i < one.pods.size() && i < kPodsShown; ++i) AddPod(one.pods[i], out);
  if (one.pods.size() > kPodsShown)
    out.Add(fmt::format("  and {} more", one.pods.size() - kPodsShown));
}

void AddAnswer(std::string_view title, const NodeAnswer& answer, TextLines& out) {
  std::size_t refused = 0;
  for (const RefusedPods& one : answer.refused) refused += one.pods.size();
  if (refused + answer.accepted.size() == 0) return;
  out.Blank();
  out.Add(fmt::format("{}: {} could run here, {} could not", title,
                      CountText(answer.accepted.size(), "pod"), refused));
  if (!answer.accepted.empty())
    out.Add(fmt::format("  could run here: {}", ListText(answer.accepted)));
  for (std::size_t i = 0; i < answer.refused.size() && i < kReasonsShown; ++i) {
    const RefusedPods& one = answer.refused[i];
    const std::string_view title_of = one.plugin.empty() ? "node" : TitleOf(one.plugin);
    out.Add(fmt::format("  {}: {}: {}", CountText(one.pods.size(), "pod"), title_of, one.reason));
    out.Add(fmt::format("    {}", ListText(one.pods)));
  }
  if (answer.refused.size() > kReasonsShown) {
    out.Add(fmt::format("  and {}; -o json has all of them",
                        CountText(answer.refused.size() - kReasonsShown, "more reason")));
  }
}

}  // namespace

StyledText ToText(const NodeExplanation& one) {
  TextLines out;
  out.Add(fmt::format("Node {}: {}, {}{}", one.node->metadata().name,
                      CountText(one.pods.size(), "pod"), CountText(one.taints.size(), "taint"),
                      one.is_unschedulable ? ", unschedulable" : ""));
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

}  // namespace plimsoll::cli
