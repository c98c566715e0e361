#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agent/action.h"
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

/// One container of a pod, over all its runs.
struct ContainerLife {
  enum class State : std::uint8_t { Waiting, Running, Terminated };

  State state = State::Waiting;
  bool is_asked = false;  // the runtime is to start it and has not answered
  bool is_ready = false;
  bool has_run = false;        // since it was last counted as restarted
  bool is_resumed = false;     // its start was told by an agent before
  std::uint32_t restarts = 0;  // as users see it
  std::uint32_t attempt = 0;   // of the key at the runtime; failed starts count too
  std::string waiting_reason;
  std::string waiting_message;
  Instant started_at;
  std::string id;
  std::string image_id;
  std::optional<Termination> ended;  // this run, when Terminated
  std::optional<Termination> last;   // the run before
  BackOff back_off;
  std::optional<Instant> restart_at;

  bool is_alive() const { return is_asked || state == State::Running; }
};

/// Something that users are told of.
struct LifeEvent {
  std::optional<std::size_t> container;  // unset: the pod as a whole
  EventType type = EventType::Normal;
  std::string_view reason;
  std::string message;
};

/// What a pod's life needs of its surroundings for one step.
struct LifeStep {
  Runtime& runtime;
  const ObjectPtr& node;
  Instant now;
  std::vector<LifeEvent>& events;
};

/// Why a pod fails as a whole. The texts are literals.
struct PodFailure {
  std::string_view reason;
  std::string_view message;
  EventType event = EventType::Normal;
  std::string_view disruption = {};  // what its condition DisruptionTarget says; empty: none
};

/// The conditions of a pod that its node's agent keeps.
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

/// The life of one pod on its node, from admission to its end: which containers run, which start
/// again and when, and what its status says. A pure state machine over a Runtime.
///
/// Init containers run one after the other, each until it has succeeded; sidecars among them go on
/// running. Then all containers run, and start again as the restart policy says. A pod whose
/// containers are all done, or that is stopped, ends when nothing of it runs any more.
class PodLife {
 public:
  enum class Phase : std::uint8_t { Pending, Running, Succeeded, Failed };

  PodLife(std::uint64_t number, ObjectPtr pod);

  /// Nothing starts before Release: what the pod needs is not prepared. Before Begin or Resume.
  void Hold() { is_held_ = true; }
  void Release(const LifeStep& step);
  bool is_held() const { return is_held_; }

  /// It is admitted, and starts.
  void Begin(const LifeStep& step);
  /// It was admitted by an agent before this one: goes on from what its status says.
  void Resume(const LifeStep& step);
  /// A newer version of the object.
  void Update(const ObjectPtr& pod, const LifeStep& step);
  /// Likewise, of a pod whose life is not lived here.
  void Replace(ObjectPtr pod) { pod_ = std::move(pod); }
  void Take(const RuntimeEvent& event, const LifeStep& step);
  /// Does what has become due.
  void Wake(const LifeStep& step);
  std::optional<Instant> NextWake() const;
  /// It has failed as a whole, and is to end within its own grace.
  void Fail(const PodFailure& failure, const LifeStep& step);
  /// It is to end within the grace. Again with less grace: sooner.
  void Stop(Duration grace, const LifeStep& step);

  const ObjectPtr& pod() const { return pod_; }
  std::uint64_t number() const { return number_; }
  /// Nothing of it runs, or ever will.
  bool has_ended() const { return has_ended_; }
  Phase phase() const;
  /// Why it failed as a whole; empty otherwise.
  std::string_view reason() const { return reason_; }
  std::string_view message() const { return message_; }
  /// Why it had to go for others, and since when; empty: it had not.
  std::string_view disruption() const { return disruption_; }
  Instant disrupted_at() const { return disrupted_at_; }
  Instant started_at() const { return started_at_; }
  bool is_initialized() const;
  /// The init containers first.
  const std::vector<ContainerLife>& containers() const { return containers_; }
  std::size_t init_count() const { return init_count_; }
  const api::Container& Spec(std::size_t container) const;
  const PodConditionState& condition(PodConditionType type) const {
    return conditions_[static_cast<std::size_t>(type)];
  }

  /// Whether the status has changed since this was last asked.
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
  /// Brings phase and conditions up to date.
  void Settle(Instant now);

  const std::uint64_t number_;
  ObjectPtr pod_;
  std::size_t init_count_;
  std::vector<ContainerLife> containers_;
  std::array<PodConditionState, static_cast<std::size_t>(PodConditionType::kCount)> conditions_;
  Instant started_at_;
  std::optional<Instant> deadline_;
  std::string_view reason_;  // literals
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
