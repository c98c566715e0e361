#include <fmt/format.h>

#include "cli/explain/placement_text.h"
#include "cli/explain/workload_explanation.h"

namespace plimsoll::cli {
namespace {

constexpr std::size_t kNodesShown = 10;

template <class Counts>
std::string NodesText(const TextLines& out, const Counts& counts) {
  std::vector<std::string> texts;
  for (const auto& [node, count] : counts) texts.push_back(fmt::format("{} on {}", count, node));
  return ListText(texts, out.is_wide() ? texts.size() + 1 : kNodesShown);
}

StyledText HeadOf(const WorkloadExplanation& one) {
  const bool is_daemon = one.workload->As<api::Workload>()->kind == api::WorkloadKind::DaemonSet;
  StyledText head(fmt::format("{} {}/{}: ", one.workload->kind().kind,
                              one.workload->metadata().namespace_, one.workload->metadata().name),
                  Style::Heading);
  if (one.is_suspended && one.desired == 0) return head.Add("suspended; it wants no pods");
  const Style style = one.missing == 0 ? Style::Good : one.fits() ? Style::Warning : Style::Bad;
  head.Add(
      fmt::format("{} of {} have {}", one.bound, CountText(one.desired, is_daemon ? "node" : "pod"),
                  is_daemon ? "a pod" : "a node"),
      style);
  if (one.terminating > 0) head.Add(fmt::format(", {} terminating", one.terminating));
  if (one.succeeded > 0) head.Add(fmt::format(", {} succeeded", one.succeeded));
  if (one.failed > 0) head.Add(", ").Add(fmt::format("{} failed", one.failed), Style::Bad);
  return head;
}

void AddWaiting(const WaitingPods& waiting, TextLines& out) {
  out.Blank();
  StyledText head(fmt::format("waiting ({}):", waiting.pods.size()), Style::Heading);
  head.Add(" " + out.List(waiting.pods));
  if (!waiting.owner.empty()) head.Add(" of " + waiting.owner);
  out.Add(head);
  out.Indent(2);
  if (!waiting.scheduler.empty()) {
    out.Add(
        fmt::format("They wait for scheduler {}, which may decide otherwise.", waiting.scheduler));
  }
  if (!waiting.placement.gated.empty()) {
    out.Add(fmt::format("Not tried yet: {}. Afterwards:", waiting.placement.gated));
  }
  AddPlacement(waiting.placement, "", out, out.is_wide());
  out.Indent(0);
}

void AddRoom(const WorkloadExplanation& one, TextLines& out) {
  out.Blank();
  const ReplicaRoom& room = one.missing_room;
  if (one.missing > 0) {
    const std::string where = room.placed == 0 ? "" : ": " + NodesText(out, room.nodes);
    out.Add(StyledText()
                .Add(fmt::format("{} of {} would fit now", room.placed,
                                 CountText(one.missing, "missing pod")),
                     one.fits() ? Style::Good : Style::Bad)
                .Add(", placed one after the other" + where));
  }
  if (one.daemon_refusals.empty() && one.fits()) {
    out.Add(fmt::format("room for {}{}", one.is_more_limited ? "at least " : "",
                        CountText(one.more, "more pod")));
  }
  if (!room.refusal.empty()) out.Add(fmt::format("then: {}", room.refusal));
}

void AddDaemonRefusals(const WorkloadExplanation& one, TextLines& out) {
  if (one.daemon_refusals.empty()) return;
  out.Blank();
  out.Add("nodes without a pod:", Style::Heading);
  for (const DaemonRefusal& refusal : one.daemon_refusals) {
    out.Add(fmt::format("  {}: {}", CountText(refusal.nodes.size(), "node"), refusal.reason));
    out.Add(fmt::format("    {}", out.List(refusal.nodes)));
  }
}

}  // namespace

StyledText ToText(const WorkloadExplanation& one, bool is_wide) {
  TextLines out(is_wide);
  const bool is_daemon = one.workload->As<api::Workload>()->kind == api::WorkloadKind::DaemonSet;
  out.Add(HeadOf(one));
  if (!one.running.empty()) out.Add(fmt::format("running: {}", NodesText(out, one.running)));
  if (!one.starting.empty())
    out.Add(fmt::format("bound, not running: {}", NodesText(out, one.starting)));
  for (const WaitingPods& waiting : one.waiting) AddWaiting(waiting, out);
  if (one.waiting_unexplained > 0) {
    out.Blank();
    out.Add(fmt::format("{} with other demands: `plimsoll explain pod NAME` explains each",
                        CountText(one.waiting_unexplained, "more waiting pod")));
  }
  if (one.pod_template && one.missing > 0) {
    out.Blank();
    out.Add("a new pod:", Style::Heading);
    out.Indent(2);
    AddPlacement(*one.pod_template, "", out, out.is_wide());
    out.Indent(0);
  }
  if (!is_daemon || one.missing > 0) AddRoom(one, out);
  AddDaemonRefusals(one, out);
  return out.text();
}

std::vector<std::string> NamesIn(const WorkloadExplanation& one) {
  std::vector<std::string> names;
  for (const auto& [node, pods] : one.missing_room.nodes) names.push_back("node/" + node);
  return names;
}

}  // namespace plimsoll::cli
