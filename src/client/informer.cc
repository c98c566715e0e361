#include "client/informer.h"

#include <chrono>
#include <utility>

#include "client/lean_object.h"

namespace plimsoll::client {
namespace {

// Same as upstream: a watch times out after five to ten minutes, so that not all end at once.
constexpr std::int64_t kWatchSecondsMin = 300;

/// Returns true for normal ends: the history was compacted, or the server restarts or is busy.
bool IsRoutineEnd(const api::StatusObject& refusal) {
  return refusal.code == 410 || refusal.code == 429 || refusal.code == 503 || refusal.code == 504;
}

}  // namespace

/// Makes the calls that the core requests. The clock's tasks hold weak references to it.
class Informer::Loop : public std::enable_shared_from_this<Loop>, private WatchSink {
 public:
  Loop(const Client& client, InformerOptions options, Logger& log, Handler handler)
      : client_(client),
        options_(std::move(options)),
        log_(log),
        handler_(std::move(handler)),
        stop_(client.NewStopSignal()),
        random_(options_.seed),
        core_(options_.use_watch_list, options_.backoff, random_.Next()),
        // One thread runs the loop, the other one resyncs.
        threads_(std::make_unique<WorkerPool>(2, ThreadRole{.name = "informer"})) {}

  void Start() {
    const std::scoped_lock lock(threads_mutex_);
    if (threads_ == nullptr) return;
    threads_->Run([this] { Run(); });
    if (options_.resync != Duration::zero()) PlanResync();
  }

  void Stop() {
    stop_->Stop();
    std::unique_ptr<WorkerPool> threads;
    {
      const std::scoped_lock lock(threads_mutex_);
      threads = std::move(threads_);
    }
    const bool is_first = threads != nullptr;
    threads.reset();  // without the lock, which its last task may take
    std::unique_lock lock(mutex_);
    if (is_first) is_over_ = true;
    changed_.notify_all();
    changed_.wait(lock, [&] { return is_over_; });
  }

  bool HasSynced() const {
    const std::scoped_lock lock(mutex_);
    return has_told_synced_;
  }
  bool WaitForSync() const {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return has_told_synced_ || is_over_; });
    return has_told_synced_;
  }
  ObjectPtr Find(std::string_view namespace_, std::string_view name) const {
    const std::scoped_lock lock(mutex_);
    return core_.store().Find(namespace_, name);
  }
  std::vector<ObjectPtr> All() const {
    const std::scoped_lock lock(mutex_);
    return core_.store().All();
  }

 private:
  template <class Work>
  auto Locked(Work work) {
    const std::scoped_lock lock(mutex_);
    return work();
  }

  void Run() {
    while (true) {
      const InformerStep step = Locked([&] { return core_.Next(); });
      if (!stop_->WaitUntil(client_.clock(), client_.clock().Now() + step.delay)) return;
      if (step.type == InformerStep::Type::List) {
        List(step);
      } else {
        Watch(step);
      }
    }
  }

  void List(const InformerStep& step) {
    api::Answer<api::ObjectList> list = client_.List(WatchedResource(),
                                                     {.label_selector = options_.label_selector,
                                                      .field_selector = options_.field_selector,
                                                      .resource_version = step.resource_version,
                                                      .resource_version_match = {},
                                                      .limit = options_.page_size,
                                                      .is_lean = options_.is_lean},
                                                     {.stop = stop_});
    if (stop_->is_stopped()) return;
    if (list) {
      if (options_.transform) {
        for (ObjectPtr& object : list->objects) object = options_.transform(object);
      }
      return Apply([&](InformerCore::Events& out) { core_.Listed(*list, out); });
    }
    PL_LOG(log_, Warning(), "Could not list", {"kind", kind().kind},
           {"reason", list.error().message});
    Apply([&](InformerCore::Events& out) {
      core_.ListRefused(list.error(), client_.clock().Now(), out);
    });
  }

  void Watch(const InformerStep& step) {
    const bool is_list = step.type == InformerStep::Type::WatchList;
    const std::int64_t seconds = random_.Between(kWatchSecondsMin, 2 * kWatchSecondsMin);
    Locked([&] { core_.WatchBegan(client_.clock().Now()); });
    const api::Answer<void> ended = client_.Watch(WatchedResource(),
                                                  {.label_selector = options_.label_selector,
                                                   .field_selector = options_.field_selector,
                                                   .resource_version = step.resource_version,
                                                   .send_initial_events = is_list,
                                                   .timeout_seconds = seconds,
                                                   .unread = options_.unread},
                                                  *this, {.stop = stop_});
    if (stop_->is_stopped()) return;
    const Instant now = client_.clock().Now();
    if (ended) {
      const bool has_listed = Locked([&] {
        core_.WatchEnded(now);
        return core_.Next().type == InformerStep::Type::Watch;
      });
      if (!has_listed) {
        PL_LOG(log_, Warning(), "The server ended a watch before its initial events were complete",
               {"kind", kind().kind});
      }
      return;
    }
    if (is_list || !IsRoutineEnd(ended.error())) {
      PL_LOG(log_, Warning(), "Could not watch", {"kind", kind().kind},
             {"sendInitialEvents", is_list}, {"code", ended.error().code},
             {"reason", ended.error().message});
    } else {
      PL_LOG(log_, Info(2), "The watch ended", {"kind", kind().kind},
             {"reason", ended.error().message});
    }
    Apply([&](InformerCore::Events& out) { core_.WatchRefused(ended.error(), now, out); });
  }

  bool OnEvent(api::WatchEvent event) override {
    if (stop_->is_stopped()) return false;
    if (options_.is_lean && event.object != nullptr) event.object = LeanObject(event.object);
    if (options_.transform && event.object != nullptr) {
      event.object = options_.transform(event.object);
    }
    Apply([&](InformerCore::Events& out) { core_.Observe(event, out); });
    return true;
  }

  const api::KindDesc& kind() const { return options_.kind; }
  Resource WatchedResource() const { return {kind(), options_.namespace_}; }

  /// Changes the core and reports the changes. A resync runs between two such calls.
  template <class Change>
  void Apply(Change change) {
    const std::scoped_lock telling(telling_);
    InformerCore::Events events;
    Locked([&] { change(events); });
    for (const InformerEvent& event : events) {
      if (stop_->is_stopped()) return;
      handler_(event);
      if (event.type != InformerEvent::Type::Synced) continue;
      const std::scoped_lock lock(mutex_);
      has_told_synced_ = true;
      changed_.notify_all();
    }
  }

  void PlanResync() {
    client_.clock().At(client_.clock().Now() + options_.resync, [weak = weak_from_this()] {
      if (const std::shared_ptr<Loop> loop = weak.lock()) loop->BeginResync();
    });
  }

  void BeginResync() {
    const std::scoped_lock lock(threads_mutex_);
    if (threads_ == nullptr) return;
    threads_->Run([this] {
      Apply([&](InformerCore::Events& out) { core_.Resync(out); });
      const std::scoped_lock again(threads_mutex_);
      if (threads_ != nullptr) PlanResync();
    });
  }

  const Client& client_;
  const InformerOptions options_;
  Logger& log_;
  const Handler handler_;
  const std::shared_ptr<StopSignal> stop_;
  Random random_;
  std::mutex telling_;  // locked before mutex_
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  InformerCore core_;  // guarded by mutex_, as the next two members
  bool has_told_synced_ = false;
  bool is_over_ = false;
  std::mutex threads_mutex_;
  std::unique_ptr<WorkerPool> threads_;  // null once stopped
};

Informer::Informer(const Client& client, InformerOptions options, Logger& log, Handler handler)
    : loop_(std::make_shared<Loop>(client, std::move(options), log, std::move(handler))) {}

Informer::~Informer() { loop_->Stop(); }

void Informer::Start() { loop_->Start(); }
void Informer::Stop() { loop_->Stop(); }
bool Informer::HasSynced() const { return loop_->HasSynced(); }
bool Informer::WaitForSync() const { return loop_->WaitForSync(); }
ObjectPtr Informer::Find(std::string_view namespace_, std::string_view name) const {
  return loop_->Find(namespace_, name);
}
std::vector<ObjectPtr> Informer::All() const { return loop_->All(); }

}  // namespace plimsoll::client
