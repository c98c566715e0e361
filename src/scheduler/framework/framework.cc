#include "scheduler/framework/framework.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "scheduler/framework/node_ranking.h"
#include "scheduler/framework/node_ranking_cache.h"
#include "scheduler/framework/scoring.h"

namespace plimsoll::scheduler {
namespace {

// Maximum sum of a profile's score weights, so that a total fits in 32 bits.
constexpr std::int64_t kWeightsMax = 0x7fff'ffff / kScoreMax;

std::vector<std::shared_ptr<PluginState>> Clone(
    const std::vector<std::shared_ptr<PluginState>>& states) {
  std::vector<std::shared_ptr<PluginState>> clones = states;
  for (std::shared_ptr<PluginState>& state : clones) {
    if (state == nullptr) continue;
    if (std::unique_ptr<PluginState> clone = state->Clone(); clone != nullptr) {
      state = std::move(clone);
    }
  }
  return clones;
}

/// Returns an error that names the failed step, worded as in upstream.
Verdict ErrorAt(std::string_view where, const Verdict& verdict, std::string_view plugin) {
  std::string text(where);
  text.append(" \"").append(plugin).append("\": ").append(verdict.Message());
  Verdict error = Verdict::Of(Code::Error, std::move(text));
  error.plugin = plugin;
  return error;
}

/// Returns `[A B]`, sorted.
std::string ListNames(std::vector<std::string_view> names) {
  std::ranges::sort(names);
  std::string text = "[";
  for (const std::string_view name : names) {
    if (text.size() > 1) text += ' ';
    text += name;
  }
  return text += ']';
}

/// Intersects `attempt.narrowed` with the plugin's nodes. Returns false if two or more plugins
/// leave no common node. (A single plugin that names only missing nodes refuses every node instead,
/// as upstream does.)
bool Narrow(Attempt& attempt, const std::vector<NodeSlot>& nodes, std::string_view plugin,
            std::size_t slot_limit) {
  Bitmap kept(slot_limit);
  for (const NodeSlot slot : nodes) kept.Set(slot);
  if (attempt.narrowed) kept.And(*attempt.narrowed);
  attempt.narrowed = std::move(kept);
  attempt.narrowed_by.push_back(plugin);
  return attempt.narrowed_by.size() == 1 || attempt.narrowed->Any();
}

bool FitsRanking(const std::vector<EnabledPlugin>& plugins) {
  std::int64_t weights = 0;
  for (const EnabledPlugin& enabled : plugins) {
    if (!enabled.IsEnabledAt(kScore)) continue;
    if (enabled.weight > kWeightsMax) return false;
    weights += enabled.weight;
  }
  return weights <= kWeightsMax;
}

template <class Base>
void FillList(const std::vector<EnabledPlugin>& plugins, std::vector<PluginAt<Base>>& list) {
  for (std::size_t i = 0; i < plugins.size(); ++i) {
    if (!plugins[i].IsEnabledAt(Base::kPoint)) continue;
    Base* const plugin = dynamic_cast<Base*>(plugins[i].plugin.get());
    if (plugin != nullptr) {
      list.push_back({plugin, static_cast<std::uint16_t>(i), plugins[i].name()});
    }
  }
  constexpr auto kRank = static_cast<std::size_t>(std::countr_zero(std::uint16_t{Base::kPoint}));
  std::ranges::stable_sort(
      list, {}, [&](const PluginAt<Base>& one) { return plugins[one.index].ranks[kRank]; });
}

}  // namespace

Framework::Framework(ClusterState& cluster, std::vector<EnabledPlugin> plugins,
                     FrameworkOptions options)
    : cluster_(cluster),
      plugins_(std::move(plugins)),
      lists_(MakeLists(plugins_)),
      options_(std::move(options)),
      rankings_(std::make_unique<NodeRankingCache>(cluster_, plugins_)),
      can_rank_(FitsRanking(plugins_)),
      sample_order_(cluster_) {
  for (const auto& one : At<PreFilterPlugin>()) begin_order_.push_back(one.index);
  for (const auto& one : At<FilterPlugin>()) {
    if (!plugins_[one.index].IsEnabledAt(kPreFilter)) begin_order_.push_back(one.index);
  }
}

Framework::~Framework() = default;

Framework::Lists Framework::MakeLists(const std::vector<EnabledPlugin>& plugins) {
  Lists lists;
  std::apply([&](auto&... list) { (FillList(plugins, list), ...); }, lists);
  return lists;
}

void Framework::Forget(const PodClass& pod_class) { rankings_->Forget(pod_class); }

Verdict Framework::PreEnqueue(const api::Object& pod) const {
  for (const auto& [plugin, index, name] : At<PreEnqueuePlugin>()) {
    Verdict verdict = plugin->PreEnqueue(pod);
    if (verdict.ok()) continue;
    verdict.plugin = name;
    return verdict;
  }
  return {};
}

bool Framework::Prepare(const PodUnderTest& pod, WorkBudget& budget) {
  return std::ranges::all_of(At<PreparePlugin>(), [&](const PluginAt<PreparePlugin>& one) {
    return one.plugin->Prepare(pod.pod_class, budget);
  });
}

Attempt Framework::Begin(const PodUnderTest& pod) { return Begin(pod, nullptr); }

Attempt Framework::Begin(const PodUnderTest& pod, const NodeRanking* ranking) {
  Attempt attempt{.pod = pod};
  attempt.filter_states.resize(plugins_.size());
  attempt.filters.resize(plugins_.size());
  for (const std::uint16_t i : begin_order_) {
    const EnabledPlugin& plugin = plugins_[i];
    if (ranking != nullptr && ranking->Filters(i)) {
      // A valid ranking has no other verdicts than these two, and no narrowed nodes.
      const PreFilterOutcome& cached = ranking->pre_filter(i);
      if (cached.verdict.code == Code::Skip) continue;
      attempt.filter_states[i] = cached.state;
      attempt.filters[i] = 1;
      continue;
    }
    PreFilterOutcome outcome =
        Timed(plugin.name(), kPreFilter, [&] { return plugin.BeginFilter(pod); });
    if (outcome.verdict.code == Code::Skip) {
      // Only explanations name the skipped plugins, and those use no ranking.
      if (ranking == nullptr && plugin.pre_filter != nullptr) {
        attempt.skipped.push_back(plugin.name());
      }
      continue;
    }
    if (!RecordPreFilter(attempt, i, std::move(outcome))) break;
  }
  return attempt;
}

bool Framework::RecordPreFilter(Attempt& attempt, std::size_t i, PreFilterOutcome outcome) const {
  const std::string_view name = plugins_[i].name();
  outcome.verdict.plugin = name;
  switch (outcome.verdict.code) {
    case Code::Success:
    case Code::Skip:  // Begin does not record it
      break;
    case Code::Unschedulable:
      // Still run the other plugins: preemption may help and needs their states.
      attempt.pre_filter = std::move(outcome.verdict);
      return true;
    case Code::UnschedulableAndUnresolvable:
    case Code::Pending:
    case Code::Wait:
      attempt.pre_filter = std::move(outcome.verdict);
      return false;
    case Code::Error:
      attempt.pre_filter = ErrorAt("running PreFilter plugin", outcome.verdict, name);
      return false;
  }
  attempt.filter_states[i] = std::move(outcome.state);
  attempt.filters[i] = plugins_[i].IsEnabledAt(kFilter) ? 1 : 0;
  if (outcome.nodes && !Narrow(attempt, *outcome.nodes, name, cluster_.slot_limit())) {
    attempt.pre_filter = Verdict::Of(
        Code::UnschedulableAndUnresolvable,
        "node(s) didn't satisfy plugin(s) " + ListNames(attempt.narrowed_by) + " simultaneously");
    return false;
  }
  return true;
}

Verdict Framework::RunFilters(const Attempt& attempt, const States& states,
                              const NodeView& node) const {
  for (const auto& filter : At<FilterPlugin>()) {
    if (attempt.filters[filter.index] == 0) continue;
    Verdict verdict = JudgeBy(filter.index, states[filter.index].get(), node);
    if (!verdict.ok()) return verdict;
  }
  return {};
}

Verdict Framework::JudgeBy(std::size_t index, const PluginState* state,
                           const NodeView& node) const {
  return NameFilter(plugins_[index].filter->Judge(state, node), plugins_[index].name());
}

Verdict Framework::NameFilter(Verdict verdict, std::string_view plugin) {
  if (verdict.ok()) return verdict;
  if (!verdict.rejected()) {
    verdict = Verdict::Of(
        Code::Error, "running \"" + std::string(plugin) + "\" filter plugin: " + verdict.Message());
  }
  verdict.plugin = plugin;
  return verdict;
}

bool Framework::GoesBefore(PodId nominated, const PodUnderTest& pod) const {
  const PodRecord& record = cluster_.pod(nominated);
  return record.pod_class->priority >= pod.pod_class.priority && nominated != pod.id &&
         record.pod->metadata.uid != pod.pod.metadata.uid;
}

bool Framework::IsContended(NodeSlot slot, const PodUnderTest& pod) const {
  return std::ranges::any_of(cluster_.row(slot).nominated,
                             [&](PodId id) { return GoesBefore(id, pod); });
}

Verdict Framework::Judge(const Attempt& attempt, const States& states, const NodeView& node) {
  // Filter twice: with the nominated pods, because they may come, and without them, because they
  // may not. A pod must not depend on affinity to a pod that is not there.
  std::optional<NodeRow> crowded;
  States crowded_states;
  for (const PodId id : node.row.nominated) {
    if (!GoesBefore(id, attempt.pod)) continue;
    if (!crowded) {
      crowded = node.row;
      crowded_states = Clone(states);
    }
    crowded->AddPod(id, *cluster_.pod(id).pod_class);
    AddPod(attempt, crowded_states, id, {node.slot, *crowded});
  }
  if (crowded) {
    Verdict verdict = RunFilters(attempt, crowded_states, {node.slot, *crowded});
    if (!verdict.ok()) return verdict;
  }
  return RunFilters(attempt, states, node);
}

std::vector<std::shared_ptr<PluginState>> Framework::CloneStates(const Attempt& attempt) {
  return Clone(attempt.filter_states);
}

void Framework::AddPod(const Attempt& attempt, const States& states, PodId pod,
                       const NodeView& node) const {
  for (const auto& [plugin, index, name] : At<PreFilterExtensions>()) {
    if (attempt.filters[index] != 0) plugin->AddPod(states[index].get(), pod, node);
  }
}

void Framework::RemovePod(const Attempt& attempt, const States& states, PodId pod,
                          const NodeView& node) const {
  for (const auto& [plugin, index, name] : At<PreFilterExtensions>()) {
    if (attempt.filters[index] != 0) plugin->RemovePod(states[index].get(), pod, node);
  }
}

PreScoreOutcome Framework::RunPreScore(std::size_t i, const Attempt& attempt,
                                       const Bitmap& feasible) {
  const EnabledPlugin& plugin = plugins_[i];
  PreScoreOutcome outcome = Timed(plugin.name(), kPreScore, [&] {
    return plugin.BeginScore(attempt.pod.pod_class, attempt.filter_states[i].get(), feasible);
  });
  if (!outcome.verdict.ok() && outcome.verdict.code != Code::Skip) {
    outcome.verdict = ErrorAt("running PreScore plugin", outcome.verdict, plugin.name());
  }
  return outcome;
}

}  // namespace plimsoll::scheduler
