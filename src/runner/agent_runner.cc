#include "runner/agent_runner.h"

#include <utility>
#include <vector>

#include "agent/simulated/simulated_runtime.h"
#include "base/assert.h"
#include "client/event_recorder.h"
#include "runner/agent_calls.h"
#include "runner/call_queue.h"
#include "runner/core_loop.h"
#include "runner/informer_feed.h"

namespace plimsoll::runner {
namespace {

/// Heartbeats that are due together go out one after the other, a few of them per call: a thread
/// that is woken for each costs more than the heartbeat.
constexpr std::size_t kLeasesPerCall = 16;

// A pod without a node is nobody's here.
std::vector<WatchedObjects> AllWatched() {
  const api::KindDesc* const node = api::FindKind("", "v1", "Node");
  const api::KindDesc* const pod = api::FindKind("", "v1", "Pod");
  PL_ASSERT(node != nullptr && pod != nullptr);
  return {{.kind = node}, {.kind = pod, .field_selector = "spec.nodeName!="}};
}

std::string KeyOf(const agent::CreateObject& create) {
  return std::string(create.kind->kind) + "/" + create.name;
}
std::string KeyOf(const agent::PatchStatus& patch) {
  return std::string(patch.object->metadata().uid);
}
std::string KeyOf(const agent::DeletePod& remove) {
  return std::string(remove.pod->metadata().uid);
}
std::string KeyOf(const agent::ReadNode& read) { return "read/" + std::to_string(read.id); }

}  // namespace

class AgentRunner::Machine {
 public:
  Machine(const client::Client& client, AgentRunnerOptions options, Logger& log,
          MetricsRegistry& metrics)
      : client_(client),
        stop_(client.NewStopSignal()),
        runtime_(options.plan),
        core_(std::move(options.agent), runtime_, metrics),
        events_(client,
                {.source = {.component = "kubelet", .host = {}},
                 .lanes = 2,
                 .queue_max = 10'000,
                 .seed = options.seed},
                log),
        calls_(options.calls_max),
        loop_(core_, client.clock(),
              [this](agent::Actions&& actions) { CarryOut(std::move(actions)); }),
        feed_(client, AllWatched(), options.seed, log, [this](api::CoreInput input) {
          std::visit([this](auto& one) { loop_.Post(std::move(one)); }, input);
        }) {}
  ~Machine() { Stop(); }

  void Start() {
    loop_.Start();
    feed_.Start();
  }

  void Stop() {
    feed_.Stop();
    stop_->Stop();
    loop_.Stop();
    calls_.Stop();
    events_.Stop();
  }

  bool HasSynced() const { return feed_.HasSynced(); }

 private:
  void CarryOut(agent::Actions&& actions) {
    for (agent::Action& action : actions) {
      std::visit([this](auto& one) { CarryOut(std::move(one)); }, action);
    }
    if (!leases_.empty()) SendLeases();
  }

  void CarryOut(agent::RecordEvent event) {
    client::EventNews news{.regarding = client::ReferenceTo(*event.regarding),
                           .type = event.type,
                           .reason = std::move(event.reason),
                           .message = std::move(event.message),
                           .host = std::move(event.host)};
    news.regarding.field_path = std::move(event.field_path);
    events_.Record(std::move(news));
  }

  void CarryOut(agent::RenewLease renew) {
    leases_.push_back(std::move(renew));
    if (leases_.size() >= kLeasesPerCall) SendLeases();
  }

  void SendLeases() {
    std::string key = "leases/" + std::to_string(leases_.front().id);
    calls_.Run(std::move(key), [this, leases = std::exchange(leases_, {})] {
      for (const agent::RenewLease& renew : leases) Report(renew);
    });
  }

  template <class T>
  void CarryOut(T action) {
    std::string key = KeyOf(action);
    calls_.Run(std::move(key), [this, action = std::move(action)] { Report(action); });
  }

  template <class T>
  void Report(const T& action) {
    loop_.Post(agent::ActionFinished{action.id, Send(client_, action, {.stop = stop_})});
  }
  void Report(const agent::ReadNode& read) {
    loop_.Post(agent::NodeRead{read.id, Send(client_, read, {.stop = stop_})});
  }

  const client::Client& client_;
  const std::shared_ptr<client::StopSignal> stop_;
  agent::SimulatedRuntime runtime_;
  agent::NodeAgent core_;
  client::EventRecorder events_;
  std::vector<agent::RenewLease> leases_;  // of the loop's thread alone
  CallQueue calls_;
  CoreLoop<agent::NodeAgent, agent::InputEvent, agent::Actions> loop_;
  InformerFeed feed_;
};

AgentRunner::AgentRunner(const client::Client& client, AgentRunnerOptions options, Logger& log,
                         MetricsRegistry& metrics)
    : machine_(std::make_unique<Machine>(client, std::move(options), log, metrics)) {}

AgentRunner::~AgentRunner() = default;

void AgentRunner::Start() { machine_->Start(); }
void AgentRunner::Stop() { machine_->Stop(); }
bool AgentRunner::HasSynced() const { return machine_->HasSynced(); }

}  // namespace plimsoll::runner
