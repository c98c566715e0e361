#pragma once

#include <cstdint>
#include <optional>

#include "agent/pending_actions.h"
#include "base/result.h"
#include "base/time.h"

namespace plimsoll::agent {

struct PodRecord;

/// A write of a PodStatusWriter.
struct PodWrite {
  enum class Kind : std::uint8_t { Status, Delete };

  Kind kind = Kind::Status;
  std::uint64_t pod = 0;  // number of the pod
};

/// Writes of one pod: patches its status, and deletes it once it has ended after its deletion was
/// requested. One write is in flight at most; changes meanwhile go into the next one. Failed writes
/// are repeated with a growing delay.
class PodStatusWriter {
 public:
  /// Requests a write of the status.
  void MarkChanged() { is_changed_ = true; }
  /// Takes the object's generation as reported: a previous agent has written its status.
  void SetReportedGeneration(std::optional<std::int64_t> generation) {
    written_generation_ = generation;
  }

  /// Compares the status of the object with the pod's life. Another component may write the status
  /// of a node that seems lost; such a status is overwritten once it cannot be an old version.
  void Compare(const PodRecord& pod, Instant now);
  /// Sends the next write, if there is one and none is in flight.
  void Write(const PodRecord& pod, PendingActions<PodWrite>& pending, const Turn& turn);
  void Finish(PodWrite::Kind kind, const Status& status, Instant now);
  /// Cancels the write in flight, if any.
  void Cancel(PendingActions<PodWrite>& pending);

  void Wake(const PodRecord& pod, Instant now);
  std::optional<Instant> NextWake() const;

 private:
  void Delete(const PodRecord& pod, PendingActions<PodWrite>& pending, const Turn& turn);

  bool is_changed_ = false;
  bool is_unconfirmed_ = false;             // no watch event has confirmed the write yet
  bool is_deleted_ = false;                 // the server has accepted the deletion
  bool waits_for_server_deletion_ = false;  // the server deletes pods without grace by itself
  ActionId write_ = 0;                      // in flight; 0: none
  Instant written_at_;
  std::optional<std::int64_t> written_generation_;
  Duration retry_wait_{};
  std::optional<Instant> retry_at_;
  std::optional<Instant> compare_at_;  // when a different status is no longer an old version
};

}  // namespace plimsoll::agent
