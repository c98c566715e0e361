#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/action.h"
#include "base/time.h"

namespace plimsoll::agent {

/// One run of one container. Restarting a container makes a new one with the next attempt.
struct ContainerKey {
  std::uint64_t pod = 0;        // the agent's number for the pod, never used twice
  std::uint32_t container = 0;  // the init containers first, then the others, in their order
  std::uint32_t attempt = 0;

  friend auto operator<=>(const ContainerKey&, const ContainerKey&) = default;
};

/// What a runtime needs to know to run a container. The pod and the node are as they are now.
struct ContainerStart {
  ContainerKey key;
  ObjectPtr pod;
  ObjectPtr node;
  bool is_init = false;  // expected to end; a sidecar is none of those
};

/// What has become of a container.
struct RuntimeEvent {
  enum class Kind : std::uint8_t {
    Started,      // it runs since `at`; texts: id and image_id
    StartFailed,  // it does not and will not; texts: reason and message
    Ready,        // it serves
    Unready,      // it runs but does not serve
    Exited,       // it ran and ended at `at`; texts: reason (may be empty) and message
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

/// Whoever runs containers. A call only asks: what comes of it is told later, in the order in which
/// it happened, when the agent takes it. A runtime with threads of its own sees to it that the
/// agent is woken when there is something to take; one without says when by NextWake. Calls come
/// from one thread at a time.
class Runtime {
 public:
  virtual ~Runtime() = default;

  /// As node.status.nodeInfo has it: `name://version`.
  virtual std::string_view Version() const = 0;

  /// Fetches the image where it is missing, makes the container and starts it. Exactly one of
  /// Started and StartFailed follows, and after Started at last Exited.
  virtual void Start(const ContainerStart& start, Instant now) = 0;
  /// As Start, for a container that an agent before this one has told to run since then: where the
  /// runtime still knows it, nothing is begun anew.
  virtual void Resume(const ContainerStart& start, Instant started_at, Instant now) = 0;
  /// Asks the container to end, and ends it when the grace is over. Exited follows, or StartFailed
  /// if it had not started yet. Asked again with less grace, the less counts.
  virtual void Stop(const ContainerKey& key, Duration grace, Instant now) = 0;
  /// The pod's object has changed in what a runtime may care for: its annotations.
  virtual void Update(std::uint64_t pod, const ObjectPtr& object, Instant now) = 0;
  /// The pod is gone: ends whatever is left of it, and tells no more.
  virtual void Forget(std::uint64_t pod) = 0;

  /// How large an image is, for the node's list.
  virtual std::int64_t ImageBytes(std::string_view image) const = 0;

  /// What has happened up to now and was not taken yet.
  virtual void Take(Instant now, std::vector<RuntimeEvent>& out) = 0;
  /// When there will be something to take, if nobody calls.
  virtual std::optional<Instant> NextWake() const = 0;
};

}  // namespace plimsoll::agent
