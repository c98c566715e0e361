#include "runner/scheduler_runner.h"

#include <array>
#include <atomic>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "client/event_recorder.h"
#include "client/informer.h"
#include "runner/call_queue.h"
#include "runner/core_loop.h"
#include "runner/scheduler_calls.h"

namespace plimsoll::runner {
namespace {

struct Watched {
  std::string_view group;
  std::string_view version;
  std::string_view kind;
  std::string_view field_selector = {};
};

// Pods that are done take no room, so nobody need know of them.
constexpr std::array kWatched = {
    Watched{"", "v1", "Node"},
    Watched{"", "v1", "Pod", "status.phase!=Succeeded,status.phase!=Failed"},
    Watched{"", "v1", "Namespace"},
    Watched{"", "v1", "Service"},
    Watched{"", "v1", "ReplicationController"},
    Watched{"apps", "v1", "ReplicaSet"},
    Watched{"apps", "v1", "StatefulSet"},
    Watched{"", "v1", "PersistentVolume"},
    Watched{"", "v1", "PersistentVolumeClaim"},
    Watched{"storage.k8s.io", "v1", "StorageClass"},
    Watched{"storage.k8s.io", "v1", "CSINode"},
    Watched{"storage.k8s.io", "v1", "CSIDriver"},
    Watched{"storage.k8s.io", "v1", "CSIStorageCapacity"},
    Watched{"storage.k8s.io", "v1", "VolumeAttachment"},
    Watched{"policy", "v1", "PodDisruptionBudget"},
};

client::InformerOptions InformerOptionsOf(const Watched& watched, std::uint64_t seed) {
  const api::KindDesc* const kind = api::FindKind(watched.group, watched.version, watched.kind);
  PL_ASSERT(kind != nullptr);
  client::InformerOptions options{.kind = *kind};
  options.field_selector = watched.field_selector;
  options.seed = seed;
  return options;
}

}  // namespace

class SchedulerRunner::Machine {
 public:
  Machine(const client::Client& client, SchedulerRunnerOptions options, Logger& log,
          MetricsRegistry& metrics)
      : client_(client),
        stop_(client.NewStopSignal()),
        core_(std::move(options.scheduler), metrics),
        events_(client,
                {.source = {.component = "default-scheduler", .host = options.host},
                 .queue_max = 100'000,
                 .seed = options.seed},
                log),
        calls_(options.calls_max),
        loop_(core_, client.clock(),
              [this](scheduler::Actions&& actions) { CarryOut(std::move(actions)); }) {
    for (const Watched& watched : kWatched) {
      informers_.push_back(std::make_unique<client::Informer>(
          client, InformerOptionsOf(watched, options.seed + informers_.size()), log,
          [this](const client::InformerEvent& event) { Tell(event); }));
    }
    waiting_for_ = informers_.size();
  }
  ~Machine() { Stop(); }

  void Start() {
    loop_.Start();
    for (const auto& informer : informers_) informer->Start();
  }

  void Stop() {
    for (const auto& informer : informers_) informer->Stop();
    stop_->Stop();
    loop_.Stop();
    calls_.Stop();
    events_.Stop();
  }

  bool HasSynced() const { return waiting_for_ == 0; }

 private:
  void Tell(const client::InformerEvent& event) {
    using Type = client::InformerEvent::Type;
    switch (event.type) {
      case Type::Added:
        loop_.Post(scheduler::ObjectChanged{nullptr, event.object});
        break;
      case Type::Modified:
        loop_.Post(scheduler::ObjectChanged{event.before, event.object});
        break;
      case Type::Deleted:
        loop_.Post(scheduler::ObjectChanged{event.object, nullptr});
        break;
      case Type::Synced:
        if (--waiting_for_ == 0) loop_.Post(scheduler::Synced{});
        break;
    }
  }

  void CarryOut(scheduler::Actions&& actions) {
    for (scheduler::Action& action : actions) {
      std::visit([this](auto& one) { CarryOut(std::move(one)); }, action);
    }
  }

  void CarryOut(scheduler::RecordEvent event) {
    const bool is_warning = event.type == scheduler::EventType::Warning;
    events_.Record(client::ReferenceTo(*event.regarding),
                   is_warning ? client::EventType::Warning : client::EventType::Normal,
                   std::string(event.reason), std::move(event.note));
  }

  template <class T>
  void CarryOut(T action) {
    std::string key(action.pod->metadata().uid);
    calls_.Run(std::move(key), [this, action = std::move(action)] {
      const Status status = Send(client_, action, {.stop = stop_});
      loop_.Post(scheduler::ActionFinished{action.id, status});
    });
  }

  const client::Client& client_;
  const std::shared_ptr<client::StopSignal> stop_;
  scheduler::Scheduler core_;
  client::EventRecorder events_;
  CallQueue calls_;
  CoreLoop<scheduler::Scheduler, scheduler::InputEvent, scheduler::Actions> loop_;
  std::atomic<std::size_t> waiting_for_ = 0;
  std::vector<std::unique_ptr<client::Informer>> informers_;
};

SchedulerRunner::SchedulerRunner(const client::Client& client, SchedulerRunnerOptions options,
                                 Logger& log, MetricsRegistry& metrics)
    : machine_(std::make_unique<Machine>(client, std::move(options), log, metrics)) {}

SchedulerRunner::~SchedulerRunner() = default;

void SchedulerRunner::Start() { machine_->Start(); }
void SchedulerRunner::Stop() { machine_->Stop(); }
bool SchedulerRunner::HasSynced() const { return machine_->HasSynced(); }

}  // namespace plimsoll::runner
