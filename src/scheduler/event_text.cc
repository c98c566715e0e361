#include "scheduler/event_text.h"

#include <utility>

#include "api/core/pod_condition.h"

namespace plimsoll::scheduler {
namespace {

constexpr std::string_view kEllipsis = " ...";

}  // namespace

std::string TruncateNote(std::string_view text) {
  if (text.size() <= kNoteBytesMax) return std::string(text);
  return std::string(text.substr(0, kNoteBytesMax - kEllipsis.size())).append(kEllipsis);
}

std::string AssignedNote(const api::ObjectMeta& pod, std::string_view node) {
  std::string note;
  note.reserve(32 + pod.namespace_.size() + pod.name.size() + node.size());
  note.append("Successfully assigned ").append(pod.namespace_).append("/").append(pod.name);
  return std::move(note.append(" to ").append(node));
}

std::string SkippedNote(const api::ObjectMeta& pod) {
  return std::string("skip schedule deleting pod: ")
      .append(pod.namespace_)
      .append("/")
      .append(pod.name);
}

std::string PreemptedNote(std::string_view preemptor_uid, std::string_view node) {
  return std::string("Preempted by pod ").append(preemptor_uid).append(" on node ").append(node);
}

std::string PluginFailure(ExtensionPoint point, std::string_view plugin, std::string_view error) {
  return std::string("running ")
      .append(ToText(point))
      .append(" plugin \"")
      .append(plugin)
      .append("\": ")
      .append(error);
}

std::optional<api::PodCondition> UnscheduledCondition(const api::Object& pod,
                                                      std::string_view reason, std::string message,
                                                      Instant now) {
  constexpr std::string_view kType = "PodScheduled";
  const auto old = api::FindCondition(pod, kType);
  const bool is_false = old && old->status == "False";
  if (is_false && old->reason == reason && old->message == message) return std::nullopt;
  api::PodCondition condition{.type = kType, .status = false, .reason = reason};
  condition.message = std::move(message);
  condition.observed_generation = pod.metadata().generation;
  if (!is_false) condition.transitioned = now;
  return condition;
}

std::string PreemptionMessage(std::string_view profile) {
  return std::string(profile) + ": preempting to accommodate a higher priority pod";
}

}  // namespace plimsoll::scheduler
