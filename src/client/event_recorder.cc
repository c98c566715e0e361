#include "client/event_recorder.h"

#include <fmt/format.h>

#include <deque>
#include <functional>
#include <mutex>
#include <utility>

#include "base/assert.h"
#include "base/random.h"
#include "client/event_correlator.h"

namespace plimsoll::client {
namespace {

const api::KindDesc& KindOf(EventForm form) {
  const std::string_view group = form == EventForm::Core ? "" : "events.k8s.io";
  const api::KindDesc* kind = api::FindKind(group, "v1", "Event");
  PL_ASSERT(kind != nullptr);
  return *kind;
}

/// Returns true if another try makes sense.
bool IsUnreachable(const api::StatusObject& refusal) {
  return refusal.code == 429 || refusal.code == 503 || refusal.code == 504;
}

}  // namespace

/// A queue, and a task that sends its events. All events about one object are in one shard, so that
/// they are correlated and written in order.
class EventRecorder::Shard {
 public:
  Shard(const Client& client, const EventRecorderOptions& options, std::uint64_t seed,
        WorkerPool& thread, Logger& log)
      : client_(client),
        options_(options),
        thread_(thread),
        log_(log),
        kind_(KindOf(options.form)),
        random_(seed) {}

  void Put(Event event);
  /// The task ends when the last event is sent or given up, and no other task begins.
  void Close();
  std::uint64_t dropped() const;

 private:
  enum class Sending : std::uint8_t { Done, Unreachable };

  void Run();
  void Send(const Event& event);
  Sending Try(EventOutcome& outcome);
  std::optional<EventOutcome> Correlate(const Event& event);

  const Client& client_;
  const EventRecorderOptions& options_;
  WorkerPool& thread_;
  Logger& log_;
  const api::KindDesc& kind_;
  StopSignal stop_;             // ends waits between tries, but no running call
  EventCorrelator correlator_;  // used by the task only, as the next three members
  SeriesCorrelator series_;
  Random random_;
  bool is_unreachable_ = false;
  mutable std::mutex mutex_;
  std::deque<Event> queue_;
  bool is_running_ = false;  // the task is queued or runs
  bool is_closing_ = false;
  std::uint64_t dropped_ = 0;
};

EventRecorder::EventRecorder(const Client& client, EventRecorderOptions options, Logger& log)
    : client_(client),
      options_(std::move(options)),
      // Background priority would not help a remote server.
      thread_(std::make_unique<WorkerPool>(
          1, ThreadRole{.name = "events", .is_background = !client.IsRemote()}, options_.shards)) {
  for (std::size_t i = 0; i < options_.shards; ++i) {
    shards_.push_back(std::make_unique<Shard>(client, options_, options_.seed + i, *thread_, log));
  }
}

EventRecorder::~EventRecorder() { Stop(); }

void EventRecorder::Record(EventToRecord news) {
  const Instant now = client_.clock().Now();
  Event event{.regarding = std::move(news.regarding),
              .type = news.type,
              .reason = std::move(news.reason),
              .message = std::move(news.message),
              .source = options_.source,
              .action = std::move(news.action),
              .related = std::move(news.related),
              .first = now,
              .last = now};
  if (!news.component.empty()) event.source.component = std::move(news.component);
  if (!news.host.empty()) event.source.host = std::move(news.host);
  // Names are upstream's: unique if one component reports one event at a time.
  event.name = fmt::format("{}.{:x}", event.regarding.name, now.time_since_epoch().count());
  const std::size_t hash = std::hash<std::string>()(event.regarding.name);
  shards_[hash % shards_.size()]->Put(std::move(event));
}

void EventRecorder::Stop() {
  for (const auto& shard : shards_) shard->Close();
  const std::scoped_lock lock(stopping_);
  thread_.reset();
}

std::uint64_t EventRecorder::dropped() const {
  std::uint64_t sum = 0;
  for (const auto& shard : shards_) sum += shard->dropped();
  return sum;
}

void EventRecorder::Shard::Put(Event event) {
  const std::scoped_lock lock(mutex_);
  if (is_closing_ || queue_.size() >= options_.queue_max) {
    ++dropped_;
    return;
  }
  queue_.push_back(std::move(event));
  if (!std::exchange(is_running_, true)) thread_.Run([this] { Run(); });
}

void EventRecorder::Shard::Close() {
  {
    const std::scoped_lock lock(mutex_);
    is_closing_ = true;
  }
  stop_.Stop();
}

std::optional<EventOutcome> EventRecorder::Shard::Correlate(const Event& event) {
  const Instant now = client_.clock().Now();
  return options_.form == EventForm::Core ? correlator_.Correlate(event, now)
                                          : series_.Correlate(event, now);
}

std::uint64_t EventRecorder::Shard::dropped() const {
  const std::scoped_lock lock(mutex_);
  return dropped_;
}

void EventRecorder::Shard::Run() {
  while (true) {
    std::unique_lock lock(mutex_);
    if (queue_.empty() || (is_closing_ && is_unreachable_)) {
      is_running_ = false;
      return;
    }
    const Event event = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    Send(event);
  }
}

void EventRecorder::Shard::Send(const Event& event) {
  std::optional<EventOutcome> outcome = Correlate(event);
  if (!outcome) return;
  for (int tries = 1;; ++tries) {
    is_unreachable_ = Try(*outcome) == Sending::Unreachable;
    if (!is_unreachable_) return;
    if (tries >= options_.tries_max) break;
    // The first delay is random, so that not all clients of a failed server return at once.
    const double part = tries == 1 ? random_.Unit() : 1;
    const Duration delay(
        static_cast<Duration::rep>(static_cast<double>(options_.retry_delay.count()) * part));
    if (!stop_.WaitUntil(client_.clock(), client_.clock().Now() + delay)) return;
  }
  PL_LOG(log_, Error(), "Gave up on an event: the server cannot be reached",
         {"object", ObjectName{event.regarding.namespace_, event.regarding.name}},
         {"event", event.reason});
}

EventRecorder::Shard::Sending EventRecorder::Shard::Try(EventOutcome& outcome) {
  Event& event = outcome.event;
  const bool is_core = options_.form == EventForm::Core;
  const Call call{.timeout = options_.timeout, .retries_max = 0, .wants_object = false};
  api::Answer<ObjectPtr> answer;
  if (!outcome.is_new) {
    answer = client_.Patch({kind_, event.namespace_(), event.name},
                           is_core ? CoreEventPatch(event) : SeriesEventPatch(event),
                           {.type = PatchType::StrategicMerge}, call);
    // The Event may have been deleted meanwhile.
    outcome.is_new = !answer && answer.error().code == 404;
  }
  if (outcome.is_new) {
    answer = client_.Create({kind_, event.namespace_()},
                            is_core ? CoreEventJson(event) : SeriesEventJson(event), {}, call);
  }
  if (answer) return Sending::Done;
  if (IsUnreachable(answer.error())) return Sending::Unreachable;
  PL_LOG(log_, Warning(), "The server rejected an event; it is not sent again",
         {"object", ObjectName{event.regarding.namespace_, event.regarding.name}},
         {"event", event.reason}, {"reason", answer.error().message});
  return Sending::Done;
}

}  // namespace plimsoll::client
