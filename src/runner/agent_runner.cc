#include "runner/agent_runner.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "agent/simulated/simulated_runtime.h"
#include "base/assert.h"
#include "runner/agent_calls.h"
#include "runner/core_machine.h"
#include "runner/declared_apply.h"

namespace plimsoll::runner {
namespace {

// Watches only pods that have a node.
std::vector<WatchedObjects> AllWatched(bool is_lean, bool has_devices) {
  const api::KindDesc* const node = api::FindKind("", "v1", "Node");
  const api::KindDesc* const pod = api::FindKind("", "v1", "Pod");
  const api::KindDesc* const claim = api::FindKind("resource.k8s.io", "v1", "ResourceClaim");
  const api::KindDesc* const slice = api::FindKind("resource.k8s.io", "v1", "ResourceSlice");
  PL_ASSERT(node != nullptr && pod != nullptr && claim != nullptr && slice != nullptr);
  std::vector<WatchedObjects> watched = {
      {.kind = node, .is_lean = is_lean},
      {.kind = pod, .field_selector = "spec.nodeName!=", .is_lean = is_lean},
      {.kind = claim, .is_lean = is_lean}};
  if (has_devices) watched.push_back({.kind = slice, .is_lean = is_lean});
  return watched;
}

bool HaveDevices(const std::vector<agent::HostedNode>& nodes) {
  return std::ranges::any_of(nodes, [](const auto& node) { return !node.slices.empty(); });
}

std::string KeyOf(const agent::CreateObject& create) {
  return std::string(create.kind->kind) + "/" + create.name;
}
std::string KeyOf(const agent::ApplyObject& apply) {
  return std::string(apply.kind->kind) + "/" + apply.namespace_ + "/" + apply.name;
}
std::string KeyOf(const agent::PatchStatus& patch) {
  return std::string(patch.object->metadata().uid);
}
std::string KeyOf(const agent::DeletePod& remove) {
  return std::string(remove.pod->metadata().uid);
}
std::string KeyOf(const agent::RenewLease& renew) { return "lease/" + renew.node; }
std::string KeyOf(const agent::ReadNode& read) { return "read/" + std::to_string(read.id); }
std::string KeyOf(const agent::ReadVolumes& read) { return "read/" + std::to_string(read.id); }

/// Updates of pods may be late, but a node without updates would be considered dead.
CallPriority HasteOf(const agent::PatchStatus& patch) {
  return patch.object->As<api::Pod>() != nullptr ? CallPriority::Yielding : CallPriority::Now;
}
CallPriority HasteOf(const agent::DeletePod&) { return CallPriority::Yielding; }
CallPriority HasteOf(const agent::ReadVolumes&) { return CallPriority::Yielding; }
CallPriority HasteOf(const auto&) { return CallPriority::Now; }

}  // namespace

class AgentRunner::Machine {
 public:
  Machine(const client::Client& client, AgentRunnerOptions options, Logger& log,
          MetricsRegistry& metrics)
      : runtime_(options.plan),
        watched_(AllWatched(options.is_remote, HaveDevices(options.agent.nodes))),
        core_(std::move(options.agent), runtime_, metrics),
        machine_(client, core_,
                 {.watched = watched_,
                  .events = {.source = {.component = "kubelet", .host = {}},
                             .lanes = 2,
                             .queue_max = 10'000,
                             .seed = options.seed},
                  .calls_max = options.calls_max,
                  .seed = options.seed,
                  // In the process of the control plane, which simulated nodes must not slow down.
                  .role = {.name = "agent", .is_background = !options.is_remote},
                  .gives_way_to = std::move(options.gives_way_to)},
                 log, [this](agent::Actions&& actions) { CarryOut(std::move(actions)); }) {}

  void Start() { machine_.Start(); }
  void Stop() { machine_.Stop(); }
  bool HasSynced() const { return machine_.HasSynced(); }

 private:
  void CarryOut(agent::Actions&& actions) {
    for (agent::Action& action : actions) {
      std::visit([this](auto& one) { CarryOut(std::move(one)); }, action);
    }
  }

  void CarryOut(agent::RecordEvent event) {
    client::EventToRecord news{.regarding = client::ReferenceTo(*event.regarding),
                               .type = event.type,
                               .reason = std::move(event.reason),
                               .message = std::move(event.message),
                               .host = std::move(event.host)};
    news.regarding.field_path = std::move(event.field_path);
    machine_.Record(std::move(news));
  }

  template <class T>
  void CarryOut(T action) {
    std::string key = KeyOf(action);
    const CallPriority haste = HasteOf(action);
    machine_.Run(std::move(key), [this, action = std::move(action)] { Report(action); }, haste);
  }

  template <class T>
  void Report(const T& action) {
    machine_.Post(
        agent::ActionFinished{action.id, Send(machine_.client(), action, machine_.call())});
  }
  void Report(const agent::ApplyObject& apply) {
    machine_.Post(
        agent::ActionFinished{apply.id, applies_.Send(machine_.client(), apply, machine_.call())});
  }
  void Report(const agent::ReadNode& read) {
    machine_.Post(agent::NodeRead{read.id, Send(machine_.client(), read, machine_.call())});
  }
  void Report(const agent::ReadVolumes& read) {
    machine_.Post(agent::VolumesRead{read.id, Send(machine_.client(), read, machine_.call())});
  }

  DeclaredApply applies_;
  agent::SimulatedRuntime runtime_;
  const std::vector<WatchedObjects> watched_;
  agent::NodeAgent core_;
  CoreMachine<agent::NodeAgent, agent::InputEvent, agent::Actions> machine_;
};

AgentRunner::AgentRunner(const client::Client& client, AgentRunnerOptions options, Logger& log,
                         MetricsRegistry& metrics)
    : machine_(std::make_unique<Machine>(client, std::move(options), log, metrics)) {}

AgentRunner::~AgentRunner() = default;

void AgentRunner::Start() { machine_->Start(); }
void AgentRunner::Stop() { machine_->Stop(); }
bool AgentRunner::HasSynced() const { return machine_->HasSynced(); }

}  // namespace plimsoll::runner
