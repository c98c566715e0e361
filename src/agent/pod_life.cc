#include "agent/pod_life.h"

#include <fmt/format.h>

#include <algorithm>

#include "agent/status_reader.h"
#include "base/assert.h"
#include "base/time_arithmetic.h"

namespace plimsoll::agent {
namespace {

using State = ContainerLife::State;

/// Returns the pod's name as in upstream's messages.
std::string NameInMessages(const api::ObjectMeta& pod) {
  return fmt::format("{}_{}({})", pod.name, pod.namespace_, pod.uid);
}

constexpr PodFailure kDeadlineMissed = {
    .reason = "DeadlineExceeded",
    .message = "Pod was active on the node longer than the specified deadline"};

}  // namespace

std::string_view ToText(PodLife::Phase phase) {
  switch (phase) {
    case PodLife::Phase::Pending:
      return "Pending";
    case PodLife::Phase::Running:
      return "Running";
    case PodLife::Phase::Succeeded:
      return "Succeeded";
    case PodLife::Phase::Failed:
      return "Failed";
  }
  return {};
}

std::string_view ToText(PodConditionType type) {
  switch (type) {
    case PodConditionType::PodReadyToStartContainers:
      return "PodReadyToStartContainers";
    case PodConditionType::Initialized:
      return "Initialized";
    case PodConditionType::ContainersReady:
      return "ContainersReady";
    case PodConditionType::Ready:
      return "Ready";
    case PodConditionType::kCount:
      break;
  }
  return {};
}

PodLife::PodLife(std::uint64_t number, ObjectPtr pod) : number_(number), pod_(std::move(pod)) {
  const api::PodSpec& spec = View().spec;
  init_count_ = spec.init_containers.size();
  containers_.resize(init_count_ + spec.containers.size());
  for (std::size_t i = 0; i < containers_.size(); ++i) {
    const bool waits = init_count_ > 0;
    containers_[i].waiting_reason = waits ? "PodInitializing" : "ContainerCreating";
  }
}

const api::Container& PodLife::Spec(std::size_t container) const {
  const api::PodSpec& spec = View().spec;
  return container < init_count_ ? spec.init_containers[container]
                                 : spec.containers[container - init_count_];
}

bool PodLife::IsSidecar(std::size_t container) const {
  return container < init_count_ && Spec(container).restart_policy == "Always";
}

ContainerKey PodLife::KeyOf(std::size_t container) const {
  return {number_, static_cast<std::uint32_t>(container), containers_[container].attempt};
}

/// Returns true if an ended container must restart: init containers until they have succeeded.
bool PodLife::ShallRestart(std::size_t container) const {
  const bool has_failed = containers_[container].ended->exit_code != 0;
  const std::string_view policy = View().spec.restart_policy;
  if (IsSidecar(container)) return true;
  if (container < init_count_) return has_failed && policy != "Never";
  if (policy == "Never") return false;
  return policy != "OnFailure" || has_failed;
}

void PodLife::Begin(const LifeStep& step) {
  started_at_ = step.now;
  if (const auto seconds = View().spec.active_deadline_seconds) {
    deadline_ = SaturatingAdd(started_at_, SaturatingSeconds(*seconds));
  }
  SetCondition(PodConditionType::PodReadyToStartContainers, !is_held_, step.now);
  is_changed_ = true;
  Advance(step);
}

void PodLife::Release(const LifeStep& step) {
  if (!std::exchange(is_held_, false)) return;
  SetCondition(PodConditionType::PodReadyToStartContainers, true, step.now);
  Advance(step);
}

void PodLife::Resume(const LifeStep& step) {
  started_at_ = ReadStartTime(*pod_).value_or(step.now);
  if (const auto seconds = View().spec.active_deadline_seconds) {
    deadline_ = SaturatingAdd(started_at_, SaturatingSeconds(*seconds));
  }
  for (std::size_t i = 0; i < conditions_.size(); ++i) {
    conditions_[i] = ReadCondition(*pod_, static_cast<PodConditionType>(i));
  }
  for (std::size_t i = 0; i < containers_.size(); ++i) {
    ContainerLife& container = containers_[i];
    ReadContainer(*pod_, i < init_count_, Spec(i).name, container);
    if (container.state != State::Running) continue;
    container.is_starting = true;
    container.is_resumed = true;
    const bool is_init = i < init_count_ && !IsSidecar(i);
    step.runtime.Resume({KeyOf(i), pod_, step.node, is_init}, container.started_at, step.now);
  }
  Advance(step);
}

void PodLife::Update(const ObjectPtr& pod, const LifeStep& step) {
  const bool has_new_annotations = pod->metadata().annotations != pod_->metadata().annotations;
  pod_ = pod;
  if (has_new_annotations) step.runtime.Update(number_, pod_, step.now);
  UpdateConditions(step.now);  // readiness gates depend on conditions set by others
}

void PodLife::Observe(const RuntimeEvent& event, const LifeStep& step) {
  const std::size_t index = event.key.container;
  PL_ASSERT(index < containers_.size());
  ContainerLife& container = containers_[index];
  if (event.key.attempt != container.attempt) return;
  using Kind = RuntimeEvent::Kind;
  switch (event.kind) {
    case Kind::Started:
      OnStarted(index, event, step);
      break;
    case Kind::StartFailed:
      OnStartFailed(index, event, step);
      break;
    case Kind::Ready:
    case Kind::Unready:
      is_changed_ |= container.is_ready != (event.kind == Kind::Ready);
      container.is_ready = event.kind == Kind::Ready;
      break;
    case Kind::Exited:
      OnExited(index, event);
      break;
  }
  Advance(step);
}

void PodLife::OnStarted(std::size_t index, const RuntimeEvent& event, const LifeStep& step) {
  ContainerLife& container = containers_[index];
  container.is_starting = false;
  container.has_run = true;
  if (std::exchange(container.is_resumed, false)) return;
  is_changed_ = true;
  container.state = State::Running;
  container.started_at = event.at;
  container.id = event.id;
  container.image_id = event.image_id;
  container.waiting_reason.clear();
  container.waiting_message.clear();
  step.events.push_back(
      {index, EventType::Normal, "Pulled",
       fmt::format("Container image \"{}\" already present on machine and can be accessed by the "
                   "pod",
                   Spec(index).image)});
  step.events.push_back({index, EventType::Normal, "Created", "Container created"});
  step.events.push_back({index, EventType::Normal, "Started", "Container started"});
}

void PodLife::OnStartFailed(std::size_t index, const RuntimeEvent& event, const LifeStep& step) {
  ContainerLife& container = containers_[index];
  is_changed_ = true;
  container.is_starting = false;
  container.is_resumed = false;
  container.state = State::Waiting;
  container.waiting_reason = event.reason;
  container.waiting_message = event.message;
  if (is_stopping_) return;
  const bool is_image = event.reason == "ErrImagePull";
  step.events.push_back(
      {index, EventType::Warning, "Failed",
       is_image ? fmt::format("Failed to pull image \"{}\": {}", Spec(index).image, event.message)
                : fmt::format("Error: {}", event.message)});
  if (is_image) {
    step.events.push_back({index, EventType::Warning, "Failed", "Error: ErrImagePull"});
    container.waiting_reason = "ImagePullBackOff";
    container.waiting_message = fmt::format("Back-off pulling image \"{}\": ErrImagePull: {}",
                                            Spec(index).image, event.message);
  }
  container.back_off.Count(event.at, step.now);
  container.restart_at = event.at + container.back_off.delay();
}

void PodLife::OnExited(std::size_t index, const RuntimeEvent& event) {
  ContainerLife& container = containers_[index];
  is_changed_ = true;
  container.is_starting = false;
  container.is_ready = false;
  container.state = State::Terminated;
  std::string reason = event.reason;
  if (reason.empty()) reason = event.exit_code == 0 ? "Completed" : "Error";
  container.ended = Termination{.exit_code = event.exit_code,
                                .reason = std::move(reason),
                                .message = event.message,
                                .id = container.id,
                                .started_at = container.started_at,
                                .finished_at = event.at};
}

void PodLife::Wake(const LifeStep& step) {
  if (deadline_ && *deadline_ <= step.now) {
    deadline_.reset();
    Fail(kDeadlineMissed, step);
  }
  for (std::size_t i = 0; i < containers_.size(); ++i) {
    ContainerLife& container = containers_[i];
    if (!container.restart_at || *container.restart_at > step.now) continue;
    container.restart_at.reset();
    if (!is_stopping_ && !has_ended_) Start(i, step);
  }
  Advance(step);
}

std::optional<Instant> PodLife::NextWake() const {
  if (has_ended_) return std::nullopt;
  std::optional<Instant> next = deadline_;
  for (const ContainerLife& container : containers_) {
    if (container.restart_at && (!next || *container.restart_at < *next)) {
      next = container.restart_at;
    }
  }
  return next;
}

void PodLife::Fail(const PodFailure& failure, const LifeStep& step) {
  if (has_ended_ || is_stopping_) return;
  reason_ = failure.reason;
  message_ = failure.message;
  disruption_ = failure.disruption;
  disrupted_at_ = step.now;
  is_changed_ = true;
  step.events.push_back(
      {std::nullopt, failure.event, failure.reason, std::string(failure.message)});
  Stop(SaturatingSeconds(View().spec.termination_grace_period_seconds.value_or(30)), step);
}

void PodLife::Stop(Duration grace, const LifeStep& step) {
  if (has_ended_) return;
  is_stopping_ = true;
  for (std::size_t i = 0; i < containers_.size(); ++i) {
    containers_[i].restart_at.reset();
    if (containers_[i].is_alive()) StopContainer(i, grace, step);
  }
  Advance(step);
}

void PodLife::StopContainer(std::size_t index, Duration grace, const LifeStep& step) {
  step.runtime.Stop(KeyOf(index), grace, step.now);
  step.events.push_back({index, EventType::Normal, "Killing",
                         fmt::format("Stopping container {}", Spec(index).name)});
}

void PodLife::Advance(const LifeStep& step) {
  const bool is_going = !has_ended_ && !is_stopping_ && !is_held_;
  if (is_going && AdvanceInit(step)) AdvanceContainers(step);
  if (!has_ended_ && is_stopping_ && std::ranges::none_of(containers_, &ContainerLife::is_alive)) {
    End();
  }
  UpdateConditions(step.now);
}

/// Returns true if all init containers have succeeded, or are running sidecars.
bool PodLife::AdvanceInit(const LifeStep& step) {
  for (std::size_t i = 0; i < init_count_; ++i) {
    ContainerLife& container = containers_[i];
    const bool is_sidecar = IsSidecar(i);
    if (!container.is_alive()) {
      const bool is_done = container.state == State::Terminated && !ShallRestart(i);
      if (is_done && container.ended->exit_code != 0) {
        init_failed_ = true;
        is_stopping_ = true;
        StopSidecars(step);
        return false;
      }
      if (!is_done) StartOrWait(i, step);
      if (!is_done) return false;
    } else if (!is_sidecar || container.state != State::Running) {
      return false;
    }
  }
  return true;
}

void PodLife::AdvanceContainers(const LifeStep& step) {
  bool are_done = true;
  for (std::size_t i = init_count_; i < containers_.size(); ++i) {
    const ContainerLife& container = containers_[i];
    if (container.is_alive()) {
      are_done = false;
    } else if (container.state != State::Terminated || ShallRestart(i)) {
      are_done = false;
      StartOrWait(i, step);
    }
  }
  if (!are_done) return;
  is_stopping_ = true;
  StopSidecars(step);
}

void PodLife::StopSidecars(const LifeStep& step) {
  const Duration grace =
      SaturatingSeconds(View().spec.termination_grace_period_seconds.value_or(30));
  for (std::size_t i = 0; i < init_count_; ++i) {
    containers_[i].restart_at.reset();
    if (containers_[i].is_alive()) StopContainer(i, grace, step);
  }
}

/// Starts a container that does not run, or makes it wait for its back-off.
void PodLife::StartOrWait(std::size_t index, const LifeStep& step) {
  ContainerLife& container = containers_[index];
  if (container.restart_at) return;
  if (container.state == State::Terminated) {
    const Instant ended_at = container.ended->finished_at;
    const Instant ready_at = container.back_off.ReadyAt(ended_at);
    container.last = std::exchange(container.ended, std::nullopt);
    container.state = State::Waiting;
    if (ready_at > step.now) return WaitForRestart(index, ready_at, step);
    container.back_off.Count(ended_at, step.now);
  }
  Start(index, step);
}

void PodLife::WaitForRestart(std::size_t index, Instant when, const LifeStep& step) {
  ContainerLife& container = containers_[index];
  const api::ObjectMeta& pod = pod_->metadata();
  container.restart_at = when;
  container.waiting_reason = "CrashLoopBackOff";
  container.waiting_message = fmt::format("back-off {} restarting failed container={} pod={}",
                                          FormatDuration(container.back_off.delay()),
                                          Spec(index).name, NameInMessages(pod));
  step.events.push_back({index, EventType::Warning, "BackOff",
                         fmt::format("Back-off restarting failed container {} in pod {}",
                                     Spec(index).name, NameInMessages(pod))});
  is_changed_ = true;
}

void PodLife::Start(std::size_t index, const LifeStep& step) {
  ContainerLife& container = containers_[index];
  if (container.waiting_reason == "CrashLoopBackOff") {
    container.back_off.Count(container.last ? container.last->finished_at : step.now, step.now);
  }
  if (std::exchange(container.has_run, false)) ++container.restarts;
  if (container.waiting_reason.empty()) container.waiting_reason = "ContainerCreating";
  ++container.attempt;
  container.is_starting = true;
  const bool is_init = index < init_count_ && !IsSidecar(index);
  step.runtime.Start({KeyOf(index), pod_, step.node, is_init}, step.now);
}

void PodLife::End() {
  has_ended_ = true;
  is_changed_ = true;
}

bool PodLife::is_initialized() const {
  for (std::size_t i = 0; i < init_count_; ++i) {
    const ContainerLife& container = containers_[i];
    const bool has_succeeded =
        container.state == State::Terminated && container.ended->exit_code == 0;
    const bool has_started = IsSidecar(i) && (container.state == State::Running || container.last);
    if (!has_succeeded && !has_started) return false;
  }
  return true;
}

/// Derives the phase from the containers as upstream does.
PodLife::Phase PodLife::phase() const {
  if (has_ended_) {
    const auto has_failed = [](const ContainerLife& one) {
      return one.state != State::Terminated || one.ended->exit_code != 0;
    };
    const bool is_bad = init_failed_ || !reason_.empty() ||
                        std::any_of(containers_.begin() + static_cast<std::ptrdiff_t>(init_count_),
                                    containers_.end(), has_failed);
    return is_bad ? Phase::Failed : Phase::Succeeded;
  }
  if (!is_initialized()) return Phase::Pending;
  for (std::size_t i = init_count_; i < containers_.size(); ++i) {
    const ContainerLife& container = containers_[i];
    if (container.state == State::Waiting && !container.last) return Phase::Pending;
  }
  return Phase::Running;
}

void PodLife::SetCondition(PodConditionType type, bool holds, Instant now) {
  PodConditionState& condition = conditions_[static_cast<std::size_t>(type)];
  if (condition.holds == holds && condition.since != Instant{}) return;
  condition = {holds, now};
  is_changed_ = true;
}

void PodLife::UpdateConditions(Instant now) {
  const bool are_ready =
      !has_ended_ &&
      std::all_of(containers_.begin() + static_cast<std::ptrdiff_t>(init_count_), containers_.end(),
                  [](const ContainerLife& one) { return one.is_ready; });
  SetCondition(PodConditionType::Initialized, is_initialized(), now);
  SetCondition(PodConditionType::ContainersReady, are_ready, now);
  SetCondition(PodConditionType::Ready, are_ready && MissingReadinessGates(*pod_).empty(), now);
  if (has_ended_) SetCondition(PodConditionType::PodReadyToStartContainers, false, now);
}

}  // namespace plimsoll::agent
