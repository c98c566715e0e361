#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

#include "scheduler/plugins/factories.h"
#include "scheduler/preemption/budgets.h"
#include "scheduler/preemption/candidate.h"
#include "scheduler/preemption/dry_run_cache.h"

namespace plimsoll::scheduler {
namespace {

/// Evicts pods of lower priority to make room for a pod that no node can take.
class DefaultPreemption final : public Plugin,
                                public PostFilterPlugin,
                                public ClassEnqueueExtensions {
 public:
  DefaultPreemption(ClusterState& cluster, const DefaultPreemptionArgs& args)
      : Plugin(cluster), args_(args) {}

  std::string_view name() const override { return "DefaultPreemption"; }
  /// The plugin rejects pods that wait at Permit in favour of others. Any event may help them.
  std::vector<EventInterest> Interests() const override { return {{EventResource::Any, kAll}}; }

  PostFilterOutcome PostFilter(Framework& framework, const Attempt& attempt,
                               const Diagnosis& diagnosis, Random& random) override;

 private:
  /// Candidates found, and the number of nodes for each reason of rejection.
  struct Search {
    std::vector<const Candidate*> candidates;
    std::map<std::vector<std::string>, std::uint32_t> rejections;
    std::vector<std::unique_ptr<const DryRun>> asked;  // owns the results that are not cached
  };

  std::string WhyNotEligible(const Attempt& attempt, const Diagnosis& diagnosis) const;
  Search FindCandidates(Framework& framework, const Attempt& attempt,
                        const std::vector<NodeSlot>& nodes, Random& random);
  std::size_t WantedCandidates(std::size_t nodes) const;
  DryRunCache* CacheFor(const Framework& framework, const Attempt& attempt);
  PostFilterOutcome Choose(const Attempt& attempt, const Search& search) const;

  const DefaultPreemptionArgs args_;
  DisruptionBudgets budgets_;
  // One cache per class, by serial modulo 8. Few classes preempt at the same time.
  std::array<DryRunCache, 8> dry_runs_;
};

Verdict Refusal(std::string text) {
  return Verdict::Of(Code::Unschedulable, "preemption: " + std::move(text));
}

/// Returns the nodes in ascending order.
std::vector<NodeSlot> NodesThatRoomMayHelp(const Diagnosis& diagnosis) {
  Bitmap nodes;
  for (const Diagnosis::Refusal& refusal : diagnosis.refusals) {
    if (refusal.verdict.code != Code::Unschedulable) continue;
    if (nodes.size() == 0) {
      nodes = refusal.which;
    } else {
      nodes.Or(refusal.which);
    }
  }
  std::vector<NodeSlot> slots;
  slots.reserve(nodes.Count());
  nodes.ForEach([&](std::size_t slot) { slots.push_back(static_cast<NodeSlot>(slot)); });
  return slots;
}

std::string DefaultPreemption::WhyNotEligible(const Attempt& attempt,
                                              const Diagnosis& diagnosis) const {
  if (attempt.pod.pod_class.view->preemption_policy == "Never") {
    return "not eligible due to preemptionPolicy=Never.";
  }
  const auto nominated = cluster_.FindNode(attempt.pod.pod.status.nominated_node_name);
  if (!nominated) return {};
  const bool is_hopeless = std::ranges::any_of(diagnosis.refusals, [&](const auto& refusal) {
    return refusal.verdict.code == Code::UnschedulableAndUnresolvable &&
           refusal.which.Test(*nominated);
  });
  if (is_hopeless) return {};
  for (const PodId id : cluster_.row(*nominated).pods) {
    const PodRecord& other = cluster_.pod(id);
    if (other.pod_class->priority < attempt.pod.pod_class.priority && other.is_preempted) {
      return "not eligible due to a terminating pod on the nominated node.";
    }
  }
  return {};
}

/// In a large cluster, only some of the nodes are tried.
std::size_t DefaultPreemption::WantedCandidates(std::size_t nodes) const {
  const auto share = nodes * static_cast<std::size_t>(args_.min_candidate_nodes_percentage) / 100;
  const auto least = static_cast<std::size_t>(args_.min_candidate_nodes_absolute);
  return std::min(std::max(share, least), nodes);
}

/// Returns null if a filter depends on other nodes, so that nothing can be cached.
DryRunCache* DefaultPreemption::CacheFor(const Framework& framework, const Attempt& attempt) {
  if (framework.HasClusterFilter(attempt)) return nullptr;
  DryRunCache& cache = dry_runs_[attempt.pod.pod_class.serial % dry_runs_.size()];
  cache.CatchUp(cluster_, attempt.pod.pod_class, budgets_.version());
  return &cache;
}

DefaultPreemption::Search DefaultPreemption::FindCandidates(Framework& framework,
                                                            const Attempt& attempt,
                                                            const std::vector<NodeSlot>& nodes,
                                                            Random& random) {
  Search search;
  DryRunCache* const cache = CacheFor(framework, attempt);
  const NodeSlot own = attempt.pod.id == kNoPod ? kNoNode : cluster_.pod(attempt.pod.id).nominated;
  const std::size_t wanted = WantedCandidates(nodes.size());
  const std::size_t offset = random.Below(nodes.size());
  bool has_unviolated = false;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (has_unviolated && search.candidates.size() >= wanted) break;
    const NodeSlot slot = nodes[(offset + i) % nodes.size()];
    // A result that includes the pod's own nomination holds only for this pod.
    const bool can_cache = cache != nullptr && slot != own;
    const DryRun* dry_run = can_cache ? cache->Find(slot) : nullptr;
    if (dry_run == nullptr) {
      DryRun found = TryPreempting(framework, attempt, budgets_, slot);
      if (can_cache) {
        dry_run = cache->Store(slot, std::move(found));
      } else {
        dry_run = search.asked.emplace_back(std::make_unique<const DryRun>(std::move(found))).get();
      }
    }
    if (dry_run->candidate) {
      search.candidates.push_back(&*dry_run->candidate);
      has_unviolated = has_unviolated || dry_run->candidate->budget_violations == 0;
    } else if (search.candidates.empty()) {
      ++search.rejections[dry_run->rejected.reasons];
    }
  }
  return search;
}

PostFilterOutcome DefaultPreemption::Choose(const Attempt& attempt, const Search& search) const {
  const Candidate& chosen = *search.candidates[ChooseCandidate(search.candidates)];
  PostFilterOutcome outcome;
  outcome.verdict.reasons.push_back("preemption: found a potential placement for pod on node " +
                                    std::string(cluster_.node_name(chosen.node)) + ", preempting " +
                                    std::to_string(chosen.victims.size()) + " victims");
  outcome.nomination = PostFilterOutcome::Nomination::Set;
  outcome.node = chosen.node;
  outcome.victims = chosen.victims;
  for (const PodId id : cluster_.row(chosen.node).nominated) {
    const PodRecord& other = cluster_.pod(id);
    if (other.pod_class->priority < attempt.pod.pod_class.priority) {
      outcome.out_nominated.push_back(id);
    }
  }
  return outcome;
}

PostFilterOutcome DefaultPreemption::PostFilter(Framework& framework, const Attempt& attempt,
                                                const Diagnosis& diagnosis, Random& random) {
  PostFilterOutcome outcome;
  if (std::string why = WhyNotEligible(attempt, diagnosis); !why.empty()) {
    outcome.verdict = Refusal(std::move(why));
    return outcome;
  }
  budgets_.Update(cluster_.disruption_budgets);
  const std::vector<NodeSlot> nodes = NodesThatRoomMayHelp(diagnosis);
  Search search;
  if (!nodes.empty()) search = FindCandidates(framework, attempt, nodes, random);
  if (!search.candidates.empty()) return Choose(attempt, search);

  Diagnosis why;
  why.node_count = diagnosis.node_count;
  for (const auto& [reasons, count] : search.rejections) {
    why.refusals.push_back({.verdict = {Code::Unschedulable, reasons, {}}, .nodes = count});
  }
  if (const std::size_t others = diagnosis.node_count - nodes.size(); others > 0) {
    why.refusals.push_back({.verdict = Verdict::Of(Code::UnschedulableAndUnresolvable,
                                                   "Preemption is not helpful for scheduling"),
                            .nodes = static_cast<std::uint32_t>(others)});
  }
  outcome.verdict = Refusal(why.FilterMessage());
  outcome.nomination = PostFilterOutcome::Nomination::Clear;
  return outcome;
}

}  // namespace

std::unique_ptr<Plugin> MakeDefaultPreemption(ClusterState& cluster, const PluginArgs& args) {
  return CreatePlugin<DefaultPreemption>(cluster, args.preemption);
}

}  // namespace plimsoll::scheduler
