#include "client/event_recorder.h"

#include <fmt/format.h>

#include <utility>

#include "base/assert.h"

namespace plimsoll::client {
namespace {

const api::KindDesc& EventKind() {
  const api::KindDesc* kind = api::FindKind("", "v1", "Event");
  PL_ASSERT(kind != nullptr);
  return *kind;
}

/// Only then another try is worth it.
bool IsUnreachable(const api::StatusObject& refusal) {
  return refusal.code == 429 || refusal.code == 503 || refusal.code == 504;
}

}  // namespace

EventRecorder::EventRecorder(const Client& client, EventRecorderOptions options, Logger& log)
    : client_(client),
      options_(std::move(options)),
      log_(log),
      kind_(EventKind()),
      correlator_(options_.source),
      random_(options_.seed),
      thread_(std::make_unique<WorkerPool>(1)) {
  thread_->Run([this] { Run(); });
}

EventRecorder::~EventRecorder() { Stop(); }

void EventRecorder::Record(ObjectReference regarding, EventType type, std::string reason,
                           std::string message) {
  const Instant now = client_.clock().Now();
  Event event{.regarding = std::move(regarding),
              .type = type,
              .reason = std::move(reason),
              .message = std::move(message),
              .name = {},
              .first = now,
              .last = now};
  // As upstream names them: unique as long as one component tells one thing at a time.
  event.name = fmt::format("{}.{:x}", event.regarding.name, now.time_since_epoch().count());
  const std::scoped_lock lock(mutex_);
  if (is_closing_ || queue_.size() >= options_.queue_max) {
    ++dropped_;
    return;
  }
  queue_.push_back(std::move(event));
  changed_.notify_one();
}

void EventRecorder::Stop() {
  const std::scoped_lock stopping(stopping_);
  {
    const std::scoped_lock lock(mutex_);
    is_closing_ = true;
    changed_.notify_one();
  }
  stop_.Stop();
  thread_.reset();
}

std::uint64_t EventRecorder::dropped() const {
  const std::scoped_lock lock(mutex_);
  return dropped_;
}

void EventRecorder::Run() {
  while (true) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return is_closing_ || !queue_.empty(); });
    if (queue_.empty() || (is_closing_ && is_unreachable_)) return;
    const Event event = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    Send(event);
  }
}

void EventRecorder::Send(const Event& event) {
  std::optional<EventCorrelator::Outcome> outcome =
      correlator_.Correlate(event, client_.clock().Now());
  if (!outcome) return;
  for (int tries = 1;; ++tries) {
    is_unreachable_ = Try(*outcome) == Sending::Unreachable;
    if (!is_unreachable_) return;
    if (tries >= options_.tries_max) break;
    // The first by chance, so that not all who lost the server come back at one time.
    const double part = tries == 1 ? random_.Unit() : 1;
    const Duration delay(
        static_cast<Duration::rep>(static_cast<double>(options_.retry_delay.count()) * part));
    if (!stop_.WaitUntil(client_.clock(), client_.clock().Now() + delay)) return;
  }
  PL_LOG(log_, Error(), "Gave up on an event: the server cannot be reached",
         {"object", ObjectName{event.regarding.namespace_, event.regarding.name}},
         {"event", event.reason});
}

EventRecorder::Sending EventRecorder::Try(EventCorrelator::Outcome& outcome) {
  Event& event = outcome.event;
  const Call call{.timeout = options_.timeout, .retries_max = 0};
  api::Answer<ObjectPtr> answer;
  if (!outcome.is_new) {
    answer = client_.Patch({kind_, event.namespace_(), event.name}, event.PatchJson(),
                           {.type = PatchType::StrategicMerge}, call);
    // It has gone in the meantime, as events do.
    outcome.is_new = !answer && answer.error().code == 404;
  }
  if (outcome.is_new) {
    answer = client_.Create({kind_, event.namespace_()}, event.Json(options_.source), {}, call);
  }
  if (answer) return Sending::Done;
  if (IsUnreachable(answer.error())) return Sending::Unreachable;
  PL_LOG(log_, Warning(), "The server rejected an event; it is not sent again",
         {"object", ObjectName{event.regarding.namespace_, event.regarding.name}},
         {"event", event.reason}, {"reason", answer.error().message});
  return Sending::Done;
}

}  // namespace plimsoll::client
