#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/pure_core.h"
#include "base/time.h"

namespace plimsoll::agent {

using api::ActionFinished;
using api::ActionId;
using api::Actions;
using api::CoreInput;
using api::CreateObject;
using api::DeleteObject;
using api::EventType;
using api::GetObject;
using api::ObjectChanged;
using api::ObjectPtr;
using api::PatchForm;
using api::PatchObject;
using api::RecordEvent;
using api::Synced;
using api::Turn;
using api::WatchedKind;

/// One run of one container. A restart is a new run with the next attempt.
struct ContainerKey {
  std::uint64_t pod = 0;        // the agent's number for the pod; never reused
  std::uint32_t container = 0;  // index; init containers first
  std::uint32_t attempt = 0;

  friend auto operator<=>(const ContainerKey&, const ContainerKey&) = default;
};

/// Data to start a container, with the current versions of the pod and the node.
struct ContainerStart {
  ContainerKey key;
  ObjectPtr pod;
  ObjectPtr node;
  bool is_init = false;  // expected to end; false for a sidecar
};

/// Report about a container.
struct RuntimeEvent {
  enum class Kind : std::uint8_t {
    Started,      // runs since `at`; texts: id and image_id
    StartFailed,  // has not started and will not; texts: reason and message
    Ready,        // passes its readiness check
    Unready,      // runs but is not ready
    Exited,       // ended at `at`; texts: reason (may be empty) and message
  };

  ContainerKey key;
  Kind kind = Kind::Started;
  Instant at;
  std::int32_t exit_code = 0;
  std::string reason;
  std::string message;
  std::string id;        // simulated://…
  std::string image_id;  // name@sha256:…
};

/// Container runtime. A call only makes a request; events report the results, in order,
/// when the agent calls TakeEvents. A runtime with its own threads must wake the agent when
/// there are events; others announce the time by NextWake. Calls come from one thread at a
/// time.
/// An interface, because a runtime that starts real containers can take the place of the simulated
/// one.
class Runtime {
 public:
  virtual ~Runtime() = default;

  /// Returns the version for node.status.nodeInfo: `name://version`.
  virtual std::string_view Version() const = 0;

  /// Pulls the image if it is missing, creates the container and starts it. Exactly one of Started
  /// and StartFailed follows; Exited follows some time after Started.
  virtual void Start(const ContainerStart& start, Instant now) = 0;
  /// Same as Start, for a container that a previous agent has reported as running since
  /// `started_at`. If the runtime still knows the container, it does not start a new one.
  virtual void Resume(const ContainerStart& start, Instant started_at, Instant now) = 0;
  /// Asks the container to end, and kills it after the grace period. Exited follows, or StartFailed
  /// if it had not started yet. After several calls, the shortest grace applies.
  virtual void Stop(const ContainerKey& key, Duration grace, Instant now) = 0;
  /// Handles changed annotations of the pod.
  virtual void Update(std::uint64_t pod, const ObjectPtr& object, Instant now) = 0;
  /// Ends all containers of a deleted pod, without events.
  virtual void Forget(std::uint64_t pod) = 0;

  /// Returns the size of an image, for the node's status.
  virtual std::int64_t ImageBytes(std::string_view image) const = 0;

  /// Moves all events up to `now` to `out`.
  virtual void TakeEvents(Instant now, std::vector<RuntimeEvent>& out) = 0;
  /// Returns the time of the next event, if no call comes before.
  virtual std::optional<Instant> NextWake() const = 0;
};

}  // namespace plimsoll::agent
