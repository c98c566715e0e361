#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agent/back_off.h"
#include "agent/runtime.h"
#include "api/core/pod.h"
#include "base/time.h"

namespace plimsoll::agent {

/// How a container ended.
struct Termination {
  std::int32_t exit_code = 0;
  std::string reason;
  std::string message;
  std::string id;
  Instant started_at;
  Instant finished_at;
};

/// State of one container of a pod, over all its runs.
struct ContainerLife {
  enum class State : std::uint8_t { Waiting, Running, Terminated };

  State state = State::Waiting;
  bool is_starting = false;  // the runtime must start it and has not answered yet
  bool is_ready = false;
  bool has_run = false;        // since the last counted restart
  bool is_resumed = false;     // a previous agent reported its start
  std::uint32_t restarts = 0;  // status.restartCount
  std::uint32_t attempt = 0;   // attempt in the runtime's key; counts failed starts, too
  std::string waiting_reason;
  std::string waiting_message;
  Instant started_at;
  std::string id;
  std::string image_id;
  std::optional<Termination> ended;  // this run, if Terminated
  std::optional<Termination> last;   // the previous run
  BackOff back_off;
  std::optional<Instant> restart_at;

  bool is_alive() const { return is_starting || state == State::Running; }
};

/// An Event to record.
struct LifeEvent {
  std::optional<std::size_t> container;  // unset: the whole pod
  EventType type = EventType::Normal;
  std::string_view reason;
  std::string message;
};

/// Environment of one step of a pod's life.
struct LifeStep {
  Runtime& runtime;
  const ObjectPtr& node;
  Instant now;
  std::vector<LifeEvent>& events;
};

/// Why a pod fails as a whole. The texts are string literals.
struct PodFailure {
  std::string_view reason;
  std::string_view message;
  EventType event = EventType::Normal;
  std::string_view disruption = {};  // message of its DisruptionTarget condition; empty: none
};

/// Pod conditions that the node's agent sets.
enum class PodConditionType : std::uint8_t {
  PodReadyToStartContainers,
  Initialized,
  ContainersReady,
  Ready,
  kCount,
};
std::string_view ToText(PodConditionType type);

struct PodConditionState {
  bool holds = false;
  Instant since;
};

/// Life of one pod on its node, from admission to its end: which containers run, which restart and
/// when, and the pod's status. A pure state machine over a Runtime.
///
/// Init containers run one after another, each until it has succeeded; sidecars among them keep
/// running. Then all containers run, and restart according to the restart policy. A pod ends when
/// its containers are done, or it is stopped, and no container runs any more.
class PodLife {
 public:
  enum class Phase : std::uint8_t { Pending, Running, Succeeded, Failed };

  PodLife(std::uint64_t number, ObjectPtr pod);

  /// Prevents any start before Release. Must be called before Begin or Resume.
  void Hold() { is_held_ = true; }
  void Release(const LifeStep& step);
  bool is_held() const { return is_held_; }

  /// Starts an admitted pod.
  void Begin(const LifeStep& step);
  /// Continues a pod that a previous agent admitted, from its status.
  void Resume(const LifeStep& step);
  /// Handles a newer version of the object.
  void Update(const ObjectPtr& pod, const LifeStep& step);
  /// Same as above, for a pod that this agent does not run.
  void Replace(ObjectPtr pod) { pod_ = std::move(pod); }
  void Observe(const RuntimeEvent& event, const LifeStep& step);
  /// Makes the transitions that are due.
  void Wake(const LifeStep& step);
  std::optional<Instant> NextWake() const;
  /// Fails the whole pod, and stops it within its own grace period.
  void Fail(const PodFailure& failure, const LifeStep& step);
  /// Stops the pod within the grace period. May be called again with a shorter one.
  void Stop(Duration grace, const LifeStep& step);

  const ObjectPtr& pod() const { return pod_; }
  std::uint64_t number() const { return number_; }
  /// Returns true if no container runs or will run.
  bool has_ended() const { return has_ended_; }
  Phase phase() const;
  /// Reason for which the pod failed as a whole, or "".
  std::string_view reason() const { return reason_; }
  std::string_view message() const { return message_; }
  /// Why the pod was preempted, or "", and since when.
  std::string_view disruption() const { return disruption_; }
  Instant disrupted_at() const { return disrupted_at_; }
  Instant started_at() const { return started_at_; }
  bool is_initialized() const;
  /// Init containers come first.
  const std::vector<ContainerLife>& containers() const { return containers_; }
  std::size_t init_count() const { return init_count_; }
  const api::Container& Spec(std::size_t container) const;
  const PodConditionState& condition(PodConditionType type) const {
    return conditions_[static_cast<std::size_t>(type)];
  }

  /// Returns true if the status has changed since the last call.
  bool TakeChanged() { return std::exchange(is_changed_, false); }

 private:
  const api::Pod& View() const { return *pod_->As<api::Pod>(); }
  bool IsSidecar(std::size_t container) const;
  bool ShallRestart(std::size_t container) const;
  ContainerKey KeyOf(std::size_t container) const;

  void Advance(const LifeStep& step);
  bool AdvanceInit(const LifeStep& step);
  void AdvanceContainers(const LifeStep& step);
  void StartOrWait(std::size_t container, const LifeStep& step);
  void Start(std::size_t container, const LifeStep& step);
  void WaitForRestart(std::size_t container, Instant when, const LifeStep& step);
  void StopContainer(std::size_t container, Duration grace, const LifeStep& step);
  void StopSidecars(const LifeStep& step);
  void End();
  void OnStarted(std::size_t container, const RuntimeEvent& event, const LifeStep& step);
  void OnStartFailed(std::size_t container, const RuntimeEvent& event, const LifeStep& step);
  void OnExited(std::size_t container, const RuntimeEvent& event);
  void SetCondition(PodConditionType type, bool holds, Instant now);
  /// Updates phase and conditions.
  void UpdateConditions(Instant now);

  const std::uint64_t number_;
  ObjectPtr pod_;
  std::size_t init_count_;
  std::vector<ContainerLife> containers_;
  std::array<PodConditionState, static_cast<std::size_t>(PodConditionType::kCount)> conditions_;
  Instant started_at_;
  std::optional<Instant> deadline_;
  std::string_view reason_;  // string literals
  std::string_view message_;
  std::string_view disruption_;
  Instant disrupted_at_;
  bool is_held_ = false;
  bool is_stopping_ = false;
  bool init_failed_ = false;
  bool has_ended_ = false;
  bool is_changed_ = false;
};

std::string_view ToText(PodLife::Phase phase);

}  // namespace plimsoll::agent
