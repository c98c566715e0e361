#include "agent/pod_status_writer.h"

#include <algorithm>
#include <string>
#include <utility>

#include "agent/address_pool.h"
#include "agent/pod_status.h"
#include "agent/records.h"
#include "agent/status_reader.h"

namespace plimsoll::agent {
namespace {

using State = PodRecord::State;

constexpr Duration kRetryMin = std::chrono::milliseconds(200);
constexpr Duration kRetryMax = std::chrono::seconds(30);
/// Time during which a pod with a different status may still be an old version.
constexpr Duration kConfirmTime = std::chrono::seconds(10);
/// Time for the server to delete a pod without grace by itself.
constexpr Duration kServerDeletionTime = std::chrono::seconds(1);

/// Returns true if someone evaluates how the pod ended: there is a finalizer, or it is a pod that
/// runs to completion. For other pods the last status write is skipped.
bool MustReportEnd(const api::Object& pod) {
  return !pod.metadata().finalizers.empty() || pod.As<api::Pod>()->spec.restart_policy != "Always";
}

std::string PatchOf(const PodRecord& pod) {
  const api::Object& object = *pod.life.pod();
  if (pod.refusal) return RefusalPatch(object, *pod.refusal, pod.refused_at);
  const bool is_host = object.As<api::Pod>()->spec.host_network;
  const std::string address = is_host       ? pod.node.address
                              : pod.address ? AddressText(*pod.address)
                                            : std::string();
  return StatusPatch(pod.life, {.host = pod.node.address, .pod = address});
}

}  // namespace

void PodStatusWriter::Compare(const PodRecord& pod, Instant now) {
  if (pod.state != State::Living || pod.life.has_ended()) return;
  const api::Object& object = *pod.life.pod();
  const bool is_ready = pod.life.condition(PodConditionType::Ready).holds;
  const bool is_same = object.As<api::Pod>()->status.phase == ToText(pod.life.phase()) &&
                       HasCondition(object, "Ready", is_ready);
  if (is_same) is_unconfirmed_ = false;
  Instant settled_at = now;
  if (is_unconfirmed_) settled_at = written_at_ + kConfirmTime;
  if (write_ != 0) settled_at = now + kConfirmTime;
  compare_at_.reset();
  if (!is_same && settled_at <= now) is_changed_ = true;
  if (!is_same && settled_at > now) compare_at_ = settled_at;
  if (!pod.is_deleting() && object.metadata().generation != written_generation_) {
    is_changed_ = true;
  }
}

void PodStatusWriter::Write(const PodRecord& pod, PendingActions<PodWrite>& pending,
                            const Turn& turn) {
  if (write_ != 0 || retry_at_ || is_deleted_) return;
  const bool has_ended =
      pod.life.has_ended() || pod.state == State::Refused || pod.state == State::Done;
  const bool is_over = pod.is_deleting() && has_ended;
  if (is_over && !(is_changed_ && MustReportEnd(*pod.life.pod()))) {
    return Delete(pod, pending, turn);
  }
  if (!std::exchange(is_changed_, false)) return;
  is_unconfirmed_ = true;
  written_at_ = turn.now;
  written_generation_ = pod.life.pod()->metadata().generation;
  write_ = pending.Begin({PodWrite::Kind::Status, pod.number()});
  turn.Do(PatchObject{.id = write_,
                      .object = pod.life.pod(),
                      .subresource = "status",
                      .body = PatchOf(pod),
                      .form = PatchForm::StrategicMerge});
}

void PodStatusWriter::Delete(const PodRecord& pod, PendingActions<PodWrite>& pending,
                             const Turn& turn) {
  const bool is_ended_by_server = pod.life.pod()->metadata().deletion_grace_period_seconds == 0;
  if (is_ended_by_server && !std::exchange(waits_for_server_deletion_, true)) {
    retry_at_ = turn.now + kServerDeletionTime;
    return;
  }
  write_ = pending.Begin({PodWrite::Kind::Delete, pod.number()});
  turn.Do(DeleteObject{.id = write_, .object = pod.life.pod(), .grace_period_seconds = 0});
}

void PodStatusWriter::Finish(PodWrite::Kind kind, const Status& status, Instant now) {
  write_ = 0;
  if (status) {
    retry_wait_ = {};
    if (kind == PodWrite::Kind::Delete) is_deleted_ = true;
    return;
  }
  if (status.error().reason == Reason::NotFound) return;  // the watch event follows
  if (kind == PodWrite::Kind::Status) is_changed_ = true;
  retry_wait_ = retry_wait_ == Duration::zero() ? kRetryMin : std::min(retry_wait_ * 2, kRetryMax);
  retry_at_ = now + retry_wait_;
}

void PodStatusWriter::Cancel(PendingActions<PodWrite>& pending) {
  if (write_ != 0) pending.Cancel(std::exchange(write_, 0));
}

void PodStatusWriter::Wake(const PodRecord& pod, Instant now) {
  if (retry_at_ && *retry_at_ <= now) retry_at_.reset();
  if (compare_at_ && *compare_at_ <= now) Compare(pod, now);
}

std::optional<Instant> PodStatusWriter::NextWake() const {
  if (!retry_at_ || !compare_at_) return retry_at_ ? retry_at_ : compare_at_;
  return std::min(*retry_at_, *compare_at_);
}

}  // namespace plimsoll::agent
