#include "cli/explain/workload_explanation.h"

#include <algorithm>
#include <map>

#include "api/core/pod_phase.h"
#include "cli/explain/pod_groups.h"
#include "cli/explain/workload_pods.h"
#include "controller/job/job_spec.h"
#include "controller/workload/owned_pods.h"
#include "match/diagnosis.h"

namespace plimsoll::cli {
namespace {

/// Maximum number of groups of waiting pods whose placement is explained.
constexpr std::size_t kWaitingMax = 8;
/// Maximum number of replicas that are tried beyond the missing ones.
constexpr std::size_t kMoreMax = 100;
/// Maximum number of missing replicas that are tried.
constexpr std::size_t kMissingMax = 10'000;

const api::Pod& PodOf(const ObjectPtr& object) { return *object->As<api::Pod>(); }

std::string NameOf(const ObjectPtr& object) { return std::string(object->metadata().name); }

std::vector<std::pair<std::string, std::size_t>> ToList(
    const std::map<std::string, std::size_t>& counts) {
  return {counts.begin(), counts.end()};
}

class WorkloadExplainer {
 public:
  WorkloadExplainer(const ObjectPtr& workload, const std::vector<ObjectPtr>& objects,
                    const scheduler::SchedulerOptions& options, Instant now)
      : cluster_(options, objects, now),
        placer_(options, objects, now),
        maker_(workload, objects),
        pods_(PodsOfWorkload(*workload, objects)) {
    out_.workload = workload;
  }

  Result<WorkloadExplanation> Explain(std::string_view word, std::optional<std::size_t> replicas) {
    out_.word = word;
    CountPods();
    PL_TRY(ExplainWaiting());
    const auto desired = DesiredPods(*out_.workload, pods_);
    out_.is_suspended = !desired ? false : IsSuspended();
    if (desired) {
      PL_TRY(PlaceReplicas(replicas.value_or(*desired)));
    } else {
      PL_TRY(PlaceDaemons());
    }
    return std::move(out_);
  }

 private:
  bool IsSuspended() const {
    return out_.workload->As<api::Workload>()->kind == api::WorkloadKind::Job &&
           controller::ReadJobSpec(*out_.workload).is_suspended;
  }

  void CountPods() {
    std::map<std::string, std::size_t> running;
    std::map<std::string, std::size_t> starting;
    for (const ObjectPtr& pod : pods_) {
      const std::string_view phase = PodOf(pod).status.phase;
      const std::string_view node = PodOf(pod).spec.node_name;
      if (phase == "Succeeded") {
        ++out_.succeeded;
      } else if (phase == "Failed") {
        ++out_.failed;
      } else if (node.empty()) {
        waiting_.push_back(pod);
      } else {
        ++out_.bound;
        if (!pod->metadata().deletion_timestamp.empty()) ++out_.terminating;
        ++(phase == "Running" ? running : starting)[std::string(node)];
      }
    }
    out_.running = ToList(running);
    out_.starting = ToList(starting);
  }

  Status ExplainWaiting() {
    for (const auto& [group] : GroupPods(cluster_, waiting_)) {
      if (out_.waiting.size() == kWaitingMax) {
        out_.waiting_unexplained += group.size();
        continue;
      }
      WaitingPods& waiting = out_.waiting.emplace_back();
      for (const ObjectPtr& pod : group) waiting.pods.push_back(NameOf(pod));
      const auto* const owner = controller::ControllerOf(group.front()->metadata());
      if (owner != nullptr) waiting.owner = owner->name;
      PL_TRY(cluster_.AddPendingPod(*group.front()));
      waiting.placement = ExplainPlacement(cluster_);
      const api::Pod& first = PodOf(group.front());
      if (cluster_.ProfileOf(first) != first.spec.scheduler_name) {
        waiting.scheduler = first.spec.scheduler_name;
      }
      cluster_.RestorePod();
    }
    return {};
  }

  /// Returns false if the replica fits nowhere.
  Result<bool> Place(const Replica& replica) {
    const std::string node = PL_TRY(placer_.Place(replica, out_.missing_room.refusal));
    if (node.empty()) return false;
    ++out_.missing_room.placed;
    ++out_.missing_room.nodes[node];
    return true;
  }

  Status ExplainTemplate(const Replica& replica) {
    for (const ObjectPtr& claim : replica.claims) cluster_.AddObject(claim);
    PL_TRY(cluster_.AddPendingPod(*replica.pod));
    out_.pod_template = ExplainPlacement(cluster_);
    cluster_.RestorePod();
    return {};
  }

  Status PlaceReplicas(std::size_t desired) {
    out_.desired = desired;
    // A terminating pod is replaced, but holds its resources until it is gone.
    const std::size_t staying = out_.bound - out_.terminating;
    out_.missing = std::min(desired - std::min(desired, staying), kMissingMax);
    std::size_t tried = 0;
    for (const ObjectPtr& pod : waiting_) {
      if (tried == out_.missing) break;
      ++tried;
      PL_TRY(Place({pod, {}}));
    }
    const Replica next = PL_TRY(maker_.Next());
    if (out_.waiting.empty()) PL_TRY(ExplainTemplate(next));
    if (out_.missing_room.placed < tried) return {};
    Replica replica = next;
    for (; tried < out_.missing; ++tried) {
      if (!PL_TRY(Place(replica))) return {};
      replica = PL_TRY(maker_.Next());
    }
    for (; out_.more < kMoreMax; ++out_.more) {
      const std::string node = PL_TRY(placer_.Place(replica, out_.missing_room.refusal));
      if (node.empty()) return {};
      replica = PL_TRY(maker_.Next());
    }
    out_.is_more_limited = true;
    return {};
  }

  void RefuseDaemon(std::string reason, std::string_view node) {
    const auto found = std::ranges::find(out_.daemon_refusals, reason, &DaemonRefusal::reason);
    DaemonRefusal& refusal = found != out_.daemon_refusals.end()
                                 ? *found
                                 : out_.daemon_refusals.emplace_back(std::move(reason));
    refusal.nodes.emplace_back(node);
  }

  /// Returns why the DaemonSet does not want a pod on the node.
  std::string DaemonReason(const Replica& replica, const api::Node& node) const {
    api::PodSpec spec = out_.workload->As<api::Workload>()->pod_template.spec;
    if (!spec.node_name.empty() && spec.node_name != node.metadata.name) {
      return "the template names node " + std::string(spec.node_name);
    }
    spec.tolerations = PodOf(replica.pod).spec.tolerations;
    const match::Diagnosis diagnosis = match::Diagnose(spec, node, cluster_.cluster().rules());
    const std::vector<std::string> refusals = match::Refusals(diagnosis);
    return refusals.empty() ? "the DaemonSet does not select the node" : refusals.front();
  }

  /// Returns why the node refuses the daemon pod.
  Result<std::string> ReasonOfNode(const Replica& replica, const std::string& node) {
    for (const ObjectPtr& claim : replica.claims) cluster_.AddObject(claim);
    PL_TRY(cluster_.AddPendingPod(*replica.pod));
    const NodeVerdicts verdicts = std::move(JudgeNodes(cluster_, node).front());
    cluster_.RestorePod();
    if (verdicts.refusals.empty()) return std::string("the pod excludes the node");
    const scheduler::Verdict& first = verdicts.refusals.front();
    return std::string(TitleOf(first.plugin)) + ": " + first.Message();
  }

  Status PlaceDaemons() {
    const match::Rules rules = cluster_.cluster().rules();
    const controller::DaemonPlacement placement(out_.workload, rules);
    std::map<std::string_view, ObjectPtr> by_node;
    for (const ObjectPtr& pod : pods_) {
      const std::string_view node = controller::TargetNode(PodOf(pod));
      if (!node.empty() && !IsPodTerminal(PodOf(pod))) by_node[node] = pod;
    }
    for (const std::string& name : cluster_.NodeNames()) {
      const ObjectPtr object = cluster_.FindNode(name);
      const api::Node& node = *object->As<api::Node>();
      const auto known = by_node.find(name);
      Replica replica;
      const bool should_run = placement.Answer(node).should_run;
      if (!should_run || known == by_node.end()) {
        replica = PL_TRY(maker_.ForNode(name, placement));
      } else {
        replica.pod = known->second;
      }
      if (!should_run) {
        RefuseDaemon(DaemonReason(replica, node), name);
        continue;
      }
      ++out_.desired;
      if (known != by_node.end() && !PodOf(known->second).spec.node_name.empty()) continue;
      ++out_.missing;
      std::string refusal;
      const std::string found = PL_TRY(placer_.Place(replica, refusal));
      if (found.empty()) {
        RefuseDaemon(PL_TRY(ReasonOfNode(replica, name)), name);
      } else {
        ++out_.missing_room.placed;
        ++out_.missing_room.nodes[found];
      }
    }
    return {};
  }

  ClusterSnapshot cluster_;
  ReplicaPlacer placer_;
  ReplicaMaker maker_;
  const std::vector<ObjectPtr> pods_;
  std::vector<ObjectPtr> waiting_;
  WorkloadExplanation out_;
};

}  // namespace

Result<WorkloadExplanation> ExplainWorkload(const ObjectPtr& workload, std::string_view word,
                                            const std::vector<ObjectPtr>& objects,
                                            std::optional<std::size_t> replicas,
                                            const scheduler::SchedulerOptions& options,
                                            Instant now) {
  return WorkloadExplainer(workload, objects, options, now).Explain(word, replicas);
}

}  // namespace plimsoll::cli
