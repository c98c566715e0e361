#include <fmt/format.h>

#include "cli/explain/placement_text.h"
#include "cli/explain/workload_explanation.h"

namespace plimsoll::cli {
namespace {

constexpr std::size_t kNodesShown = 10;

template <class Counts>
std::string NodesText(const Counts& counts) {
  std::vector<std::string> texts;
  for (const auto& [node, count] : counts) texts.push_back(fmt::format("{} on {}", count, node));
  return ListText(texts, kNodesShown);
}

std::string HeadOf(const WorkloadExplanation& one) {
  const bool is_daemon = one.workload->As<api::Workload>()->kind == api::WorkloadKind::DaemonSet;
  if (one.is_suspended && one.desired == 0) return "suspended; it wants no pods";
  std::string head =
      fmt::format("{} of {} have {}", one.bound, CountText(one.desired, is_daemon ? "node" : "pod"),
                  is_daemon ? "a pod" : "a node");
  if (one.terminating > 0) head += fmt::format(", {} terminating", one.terminating);
  if (one.succeeded > 0) head += fmt::format(", {} succeeded", one.succeeded);
  if (one.failed > 0) head += fmt::format(", {} failed", one.failed);
  return head;
}

void AddWaiting(const WaitingPods& waiting, TextLines& out) {
  out.Blank();
  std::string head = fmt::format("waiting ({}): {}", waiting.pods.size(), ListText(waiting.pods));
  if (!waiting.owner.empty()) head += " of " + waiting.owner;
  out.Add(head);
  out.Indent(2);
  if (!waiting.scheduler.empty()) {
    out.Add(
        fmt::format("They wait for scheduler {}, which may decide otherwise.", waiting.scheduler));
  }
  if (!waiting.placement.gated.empty()) {
    out.Add(fmt::format("Not tried yet: {}. Afterwards:", waiting.placement.gated));
  }
  AddPlacement(waiting.placement, "", out);
  out.Indent(0);
}

void AddRoom(const WorkloadExplanation& one, TextLines& out) {
  out.Blank();
  const ReplicaRoom& room = one.missing_room;
  if (one.missing > 0) {
    const std::string where = room.placed == 0 ? "" : ": " + NodesText(room.nodes);
    out.Add(fmt::format("{} of {} would fit now, placed one after the other{}", room.placed,
                        CountText(one.missing, "missing pod"), where));
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
  out.Add("nodes without a pod:");
  for (const DaemonRefusal& refusal : one.daemon_refusals) {
    out.Add(fmt::format("  {}: {}", CountText(refusal.nodes.size(), "node"), refusal.reason));
    out.Add(fmt::format("    {}", ListText(refusal.nodes)));
  }
}

}  // namespace

StyledText ToText(const WorkloadExplanation& one) {
  TextLines out;
  const bool is_daemon = one.workload->As<api::Workload>()->kind == api::WorkloadKind::DaemonSet;
  out.Add(fmt::format("{} {}/{}: {}", one.workload->kind().kind,
                      one.workload->metadata().namespace_, one.workload->metadata().name,
                      HeadOf(one)));
  if (!one.running.empty()) out.Add(fmt::format("running: {}", NodesText(one.running)));
  if (!one.starting.empty())
    out.Add(fmt::format("bound, not running: {}", NodesText(one.starting)));
  for (const WaitingPods& waiting : one.waiting) AddWaiting(waiting, out);
  if (one.waiting_unexplained > 0) {
    out.Blank();
    out.Add(fmt::format("{} with other demands: `plimsoll explain pod NAME` explains each",
                        CountText(one.waiting_unexplained, "more waiting pod")));
  }
  if (one.pod_template && one.missing > 0) {
    out.Blank();
    out.Add("a new pod:");
    out.Indent(2);
    AddPlacement(*one.pod_template, "", out);
    out.Indent(0);
  }
  if (!is_daemon || one.missing > 0) AddRoom(one, out);
  AddDaemonRefusals(one, out);
  return out.text();
}

}  // namespace plimsoll::cli
