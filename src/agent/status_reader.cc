#include "agent/status_reader.h"

#include "api/core/pod_condition.h"
#include "codec/value_at.h"

namespace plimsoll::agent {
namespace {

using codec::Value;

std::int64_t IntAt(const Value* value, std::string_view key) {
  const Value* const found = FindAt(value, key);
  return found != nullptr && found->is_int() ? found->AsInt() : 0;
}

std::optional<Instant> TimeAt(const Value* value, std::string_view key) {
  const std::string_view text = TextAt(value, key);
  if (text.empty()) return std::nullopt;
  const Result<Instant> time = ParseTime(text);
  return time ? std::optional(*time) : std::nullopt;
}

const Value* Status(const api::Object& pod) { return pod.tree().Find("status"); }

/// Returns the entry of a list of objects whose `key` has this text, or null.
const Value* Entry(const Value* list, std::string_view key, std::string_view text) {
  if (list == nullptr) return nullptr;
  for (const Value& item : list->items()) {
    if (TextAt(&item, key) == text) return &item;
  }
  return nullptr;
}

std::optional<Termination> ReadTermination(const Value* state) {
  const Value* const terminated = FindAt(state, "terminated");
  if (terminated == nullptr) return std::nullopt;
  return Termination{.exit_code = static_cast<std::int32_t>(IntAt(terminated, "exitCode")),
                     .reason = std::string(TextAt(terminated, "reason")),
                     .message = std::string(TextAt(terminated, "message")),
                     .id = std::string(TextAt(terminated, "containerID")),
                     .started_at = TimeAt(terminated, "startedAt").value_or(Instant{}),
                     .finished_at = TimeAt(terminated, "finishedAt").value_or(Instant{})};
}

}  // namespace

std::optional<Instant> ReadStartTime(const api::Object& pod) {
  return TimeAt(Status(pod), "startTime");
}

PodConditionState ReadCondition(const api::Object& pod, PodConditionType type) {
  const Value* const condition = Entry(FindAt(Status(pod), "conditions"), "type", ToText(type));
  return {TextAt(condition, "status") == "True",
          TimeAt(condition, "lastTransitionTime").value_or(Instant{})};
}

bool HasCondition(const api::Object& pod, std::string_view type, bool holds) {
  const auto condition = api::FindCondition(pod, type);
  return condition && condition->status == (holds ? "True" : "False");
}

void ReadContainer(const api::Object& pod, bool is_init, std::string_view name,
                   ContainerLife& container) {
  const Value* const list =
      FindAt(Status(pod), is_init ? "initContainerStatuses" : "containerStatuses");
  const Value* const status = Entry(list, "name", name);
  if (status == nullptr) return;
  container.restarts = static_cast<std::uint32_t>(IntAt(status, "restartCount"));
  container.last = ReadTermination(FindAt(status, "lastState"));
  const Value* const state = FindAt(status, "state");
  if (const Value* const running = FindAt(state, "running")) {
    container.state = ContainerLife::State::Running;
    container.started_at = TimeAt(running, "startedAt").value_or(Instant{});
    const Value* const ready = FindAt(status, "ready");
    container.is_ready = ready != nullptr && ready->is_bool() && ready->AsBool();
    container.id = TextAt(status, "containerID");
    container.image_id = TextAt(status, "imageID");
    container.waiting_reason.clear();
  } else if ((container.ended = ReadTermination(state))) {
    container.state = ContainerLife::State::Terminated;
    container.has_run = true;
    container.id = TextAt(status, "containerID");
    container.image_id = TextAt(status, "imageID");
    container.waiting_reason.clear();
  } else {
    container.has_run = container.last.has_value();
    if (const std::string_view reason = TextAt(FindAt(state, "waiting"), "reason");
        !reason.empty()) {
      container.waiting_reason = reason;
    }
  }
}

std::optional<std::string_view> ReadClaimName(const api::Object& pod,
                                              const api::PodResourceClaim& claim) {
  if (claim.resource_claim_name) return claim.resource_claim_name;
  const Value* const status =
      Entry(FindAt(Status(pod), "resourceClaimStatuses"), "name", claim.name);
  if (status == nullptr) return std::nullopt;
  return TextAt(status, "resourceClaimName");
}

std::string_view ReadExtendedClaim(const api::Object& pod) {
  return TextAt(FindAt(Status(pod), "extendedResourceClaimStatus"), "resourceClaimName");
}

std::string_view ReadPodAddress(const api::Object& pod) { return TextAt(Status(pod), "podIP"); }

std::vector<std::string_view> MissingReadinessGates(const api::Object& pod) {
  std::vector<std::string_view> missing;
  for (const std::string_view gate : pod.As<api::Pod>()->spec.readiness_gates) {
    if (!HasCondition(pod, gate, true)) missing.push_back(gate);
  }
  return missing;
}

}  // namespace plimsoll::agent
