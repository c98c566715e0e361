#include "agent/pod_status.h"

#include <fmt/format.h>

#include <iterator>
#include <vector>

#include "agent/status_reader.h"
#include "base/go_text.h"

namespace plimsoll::agent {
namespace {

using State = ContainerLife::State;
using Phase = PodLife::Phase;

void AppendText(std::string& out, std::string_view key, std::string_view text) {
  if (text.empty()) return;
  out += fmt::format(R"(,"{}":{})", key, GoJsonQuote(text));
}

void AppendTermination(std::string& out, const Termination& ended) {
  out += fmt::format(R"({{"terminated":{{"exitCode":{})", ended.exit_code);
  AppendText(out, "reason", ended.reason);
  AppendText(out, "message", ended.message);
  out += fmt::format(R"(,"startedAt":"{}","finishedAt":"{}")", FormatTime(ended.started_at),
                     FormatTime(ended.finished_at));
  AppendText(out, "containerID", ended.id);
  out += "}}";
}

void AppendState(std::string& out, const ContainerLife& container) {
  switch (container.state) {
    case State::Waiting:
      out += fmt::format(R"({{"waiting":{{"reason":{})", GoJsonQuote(container.waiting_reason));
      AppendText(out, "message", container.waiting_message);
      out += "}}";
      break;
    case State::Running:
      out += fmt::format(R"({{"running":{{"startedAt":"{}"}}}})", FormatTime(container.started_at));
      break;
    case State::Terminated:
      AppendTermination(out, *container.ended);
      break;
  }
}

/// Returns the `ready` of the status: an init container is ready when it has succeeded.
bool IsReady(const ContainerLife& container, bool is_init) {
  if (is_init && container.state == State::Terminated) return container.ended->exit_code == 0;
  return container.is_ready;
}

void AppendContainers(std::string& out, const PodLife& life, bool is_init) {
  const std::size_t first = is_init ? 0 : life.init_count();
  const std::size_t end = is_init ? life.init_count() : life.containers().size();
  if (first == end) return;
  out += is_init ? R"(,"initContainerStatuses":[)" : R"(,"containerStatuses":[)";
  for (std::size_t i = first; i < end; ++i) {
    const ContainerLife& container = life.containers()[i];
    const api::Container& spec = life.Spec(i);
    fmt::format_to(std::back_inserter(out), R"({}{{"name":{},"state":)", i == first ? "" : ",",
                   GoJsonQuote(spec.name));
    AppendState(out, container);
    out += R"(,"lastState":)";
    if (container.last) {
      AppendTermination(out, *container.last);
    } else {
      out += "{}";
    }
    fmt::format_to(std::back_inserter(out),
                   R"(,"ready":{},"started":{},"restartCount":{},"image":{},"imageID":{})",
                   IsReady(container, is_init), container.state == State::Running,
                   container.restarts, GoJsonQuote(spec.image), GoJsonQuote(container.image_id));
    AppendText(out, "containerID", container.id);
    out += '}';
  }
  out += ']';
}

/// Lists the containers that are not ready as `[a b]`, as Go prints a slice.
std::string Unready(const PodLife& life) {
  std::vector<std::string_view> names;
  for (std::size_t i = life.init_count(); i < life.containers().size(); ++i) {
    if (!life.containers()[i].is_ready) names.push_back(life.Spec(i).name);
  }
  return fmt::format("containers with unready status: [{}]", fmt::join(names, " "));
}

std::string Uninitialized(const PodLife& life) {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < life.init_count(); ++i) {
    const ContainerLife& container = life.containers()[i];
    const bool is_done = container.state == State::Terminated && container.ended->exit_code == 0;
    if (!is_done) names.push_back(life.Spec(i).name);
  }
  return fmt::format("containers with incomplete status: [{}]", fmt::join(names, " "));
}

struct Why {
  std::string_view reason;
  std::string message;
};

/// Explains why a condition is False, or why it is True although nothing runs any more.
Why Explain(const PodLife& life, PodConditionType type) {
  const Phase phase = life.phase();
  const bool holds = life.condition(type).holds;
  switch (type) {
    case PodConditionType::Initialized:
      if (phase == Phase::Succeeded) return {"PodCompleted", {}};
      if (!holds) return {"ContainersNotInitialized", Uninitialized(life)};
      break;
    case PodConditionType::ContainersReady:
    case PodConditionType::Ready: {
      if (holds) break;
      if (phase == Phase::Succeeded) return {"PodCompleted", {}};
      if (phase == Phase::Failed) return {"PodFailed", {}};
      if (!life.condition(PodConditionType::ContainersReady).holds) {
        return {"ContainersNotReady", Unready(life)};
      }
      std::string message;
      for (const std::string_view gate : MissingReadinessGates(*life.pod())) {
        if (!message.empty()) message += ", ";
        message += HasCondition(*life.pod(), gate, false)
                       ? fmt::format(
                             "the status of pod readiness gate \"{}\" is not \"True\", "
                             "but False",
                             gate)
                       : fmt::format(
                             "corresponding condition of pod readiness gate \"{}\" does "
                             "not exist.",
                             gate);
      }
      return {"ReadinessGatesNotReady", std::move(message)};
    }
    default:
      break;
  }
  return {};
}

void AppendCondition(std::string& out, std::string_view type, bool holds, Instant since,
                     const Why& why, std::optional<std::int64_t> generation) {
  fmt::format_to(std::back_inserter(out),
                 R"({{"type":"{}","status":"{}","lastProbeTime":null,"lastTransitionTime":"{}")",
                 type, holds ? "True" : "False", FormatTime(since));
  // Null removes the values of an earlier patch.
  fmt::format_to(std::back_inserter(out), R"(,"reason":{},"message":{})",
                 why.reason.empty() ? "null" : GoJsonQuote(why.reason),
                 why.message.empty() ? "null" : GoJsonQuote(why.message));
  if (generation)
    fmt::format_to(std::back_inserter(out), R"(,"observedGeneration":{})", *generation);
  out += '}';
}

void AppendConditions(std::string& out, const PodLife& life) {
  const std::optional<std::int64_t> generation = life.pod()->metadata().generation;
  out += R"(,"conditions":[)";
  for (std::size_t i = 0; i < static_cast<std::size_t>(PodConditionType::kCount); ++i) {
    const auto type = static_cast<PodConditionType>(i);
    const PodConditionState& condition = life.condition(type);
    if (i > 0) out += ',';
    AppendCondition(out, ToText(type), condition.holds, condition.since, Explain(life, type),
                    generation);
  }
  if (!life.disruption().empty()) {
    out += ',';
    AppendCondition(out, "DisruptionTarget", true, life.disrupted_at(),
                    {"TerminationByKubelet", std::string(life.disruption())}, generation);
  }
  // A pod that was created with a node name has no condition from the scheduler.
  if (!HasCondition(*life.pod(), "PodScheduled", true)) {
    out += ',';
    AppendCondition(out, "PodScheduled", true, life.started_at(), {}, generation);
  }
  out += ']';
}

std::string Head(const api::Object& pod, std::string_view phase) {
  std::string out = fmt::format(R"({{"metadata":{{"uid":{}}},"status":{{"phase":"{}")",
                                GoJsonQuote(pod.metadata().uid), phase);
  if (const auto generation = pod.metadata().generation) {
    fmt::format_to(std::back_inserter(out), R"(,"observedGeneration":{})", *generation);
  }
  return out;
}

}  // namespace

std::string StatusPatch(const PodLife& life, const PodAddresses& addresses) {
  std::string out = Head(*life.pod(), ToText(life.phase()));
  out.reserve(2048);
  AppendText(out, "reason", life.reason());
  AppendText(out, "message", life.message());
  fmt::format_to(std::back_inserter(out),
                 R"(,"startTime":"{}","hostIP":"{}","hostIPs":[{{"ip":"{}"}}])",
                 FormatTime(life.started_at()), addresses.host, addresses.host);
  if (!addresses.pod.empty()) {
    fmt::format_to(std::back_inserter(out), R"(,"podIP":"{}","podIPs":[{{"ip":"{}"}}])",
                   addresses.pod, addresses.pod);
  }
  AppendConditions(out, life);
  AppendContainers(out, life, true);
  AppendContainers(out, life, false);
  out += "}}";
  return out;
}

std::string RefusalPatch(const api::Object& pod, const Refusal& refusal, Instant now) {
  std::string out = Head(pod, "Failed");
  AppendText(out, "reason", refusal.reason);
  AppendText(out, "message", "Pod was rejected: " + refusal.message);
  AppendText(out, "startTime", FormatTime(now));
  out += "}}";
  return out;
}

}  // namespace plimsoll::agent
