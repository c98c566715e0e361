#include "runner/scheduler_runner.h"

#include <array>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "runner/core_machine.h"
#include "runner/scheduler_calls.h"

namespace plimsoll::runner {
namespace {

struct Watched {
  std::string_view group;
  std::string_view version;
  std::string_view kind;
  std::string_view field_selector = {};
};

// Finished pods use no resources, so they are not watched.
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
    Watched{"resource.k8s.io", "v1", "ResourceClaim"},
    Watched{"resource.k8s.io", "v1", "ResourceSlice"},
    Watched{"resource.k8s.io", "v1", "DeviceClass"},
    Watched{"resource.k8s.io", "v1", "DeviceTaintRule"},
};

std::vector<WatchedObjects> WatchedWith(const client::Transform& reads_as) {
  std::vector<WatchedObjects> all = ObjectsForScheduler();
  for (WatchedObjects& watched : all) watched.transform = reads_as;
  return all;
}

}  // namespace

std::vector<WatchedObjects> ObjectsForScheduler() {
  std::vector<WatchedObjects> all;
  for (const Watched& watched : kWatched) {
    const api::KindDesc* const kind = api::FindKind(watched.group, watched.version, watched.kind);
    PL_ASSERT(kind != nullptr);
    all.push_back({kind, std::string(watched.field_selector)});
  }
  return all;
}

class SchedulerRunner::Machine {
 public:
  Machine(const client::Client& client, SchedulerRunnerOptions options, Logger& log,
          MetricsRegistry& metrics)
      : log_(log),
        core_(std::move(options.scheduler), metrics),
        machine_(client, core_,
                 {.watched = WatchedWith(options.reads_as),
                  .events = {.source = {.component = "default-scheduler", .host = options.host},
                             .form = client::EventForm::Series,
                             .lanes = 4,
                             .queue_max = 25'000,
                             .seed = options.seed},
                  .calls_max = options.calls_max,
                  .seed = options.seed,
                  .role = {.name = "scheduler"},
                  .faults = metrics.AddCounter(
                      {.name = "plimsoll_scheduler_objects_set_aside_total",
                       .help = "Objects that the scheduler could not process and set aside."})},
                 log, [this](scheduler::Actions&& actions) { CarryOut(std::move(actions)); }) {}

  void Start() { machine_.Start(); }
  void Stop() { machine_.Stop(); }
  bool HasSynced() const { return machine_.HasSynced(); }

 private:
  void CarryOut(scheduler::Actions&& actions) {
    for (scheduler::Action& action : actions) {
      std::visit([this](auto& one) { CarryOut(std::move(one)); }, action);
    }
  }

  void CarryOut(scheduler::RecordEvent event) {
    client::EventToRecord news{.regarding = client::ReferenceTo(*event.regarding),
                               .type = event.type,
                               .reason = std::string(event.reason),
                               .message = std::move(event.note),
                               .component = std::string(event.reporting_controller),
                               .action = std::string(event.action)};
    if (event.related != nullptr) news.related = client::ReferenceTo(*event.related);
    machine_.Record(std::move(news));
  }
  void CarryOut(const scheduler::LogFault& fault) {
    PL_LOG(log_, Error(fault.error), fault.message, {"toleration", fault.toleration},
           {"taint", fault.taint});
  }
  void CarryOut(const scheduler::LogLabelFault& fault) {
    PL_LOG(log_, Info(), fault.message, {"err", fault.error});
  }
  template <class T>
  void CarryOut(T action) {
    std::string key(action.pod->metadata().uid);
    const api::ActionId id = action.id;
    machine_.Call(std::move(key), id, [this, action = std::move(action)] {
      return Send(machine_.client(), action, machine_.call());
    });
  }

  Logger& log_;
  scheduler::Scheduler core_;
  CoreMachine<scheduler::Scheduler, scheduler::InputEvent, scheduler::Actions> machine_;
};

SchedulerRunner::SchedulerRunner(const client::Client& client, SchedulerRunnerOptions options,
                                 Logger& log, MetricsRegistry& metrics)
    : machine_(std::make_unique<Machine>(client, std::move(options), log, metrics)) {}

SchedulerRunner::~SchedulerRunner() = default;

void SchedulerRunner::Start() { machine_->Start(); }
void SchedulerRunner::Stop() { machine_->Stop(); }
bool SchedulerRunner::HasSynced() const { return machine_->HasSynced(); }

}  // namespace plimsoll::runner
