#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <optional>

#include "scheduler/framework/framework.h"

namespace plimsoll::scheduler {
namespace {

/// Groups verdicts about nodes into one refusal per distinct verdict.
class Refusals {
 public:
  explicit Refusals(Diagnosis& diagnosis, std::size_t slot_limit)
      : diagnosis_(diagnosis), slot_limit_(slot_limit) {}

  void Add(Verdict verdict, std::size_t slot) {
    if (verdict.code == Code::Error) {
      if (diagnosis_.error.ok()) diagnosis_.error = std::move(verdict);
      return;
    }
    // Fast path: adjacent nodes mostly fail for the same reason.
    if (last_ >= diagnosis_.refusals.size() || diagnosis_.refusals[last_].verdict != verdict) {
      last_ = Find(std::move(verdict));
    }
    Count(last_, slot);
  }
  /// Counts the node under its group's verdict. Calls `judge()` only for a group's first node.
  template <class Judge>
  void AddGrouped(std::uint32_t group, std::size_t slot, const Judge& judge) {
    if (group != last_group_) {
      const auto [at, is_new] = groups_.try_emplace(group, 0);
      if (is_new) at->second = Find(judge());
      last_group_ = group;
      last_of_group_ = at->second;
    }
    Count(last_of_group_, slot);
  }
  /// Group numbers are local to a plugin.
  void BeginPlugin() {
    groups_.clear();
    last_group_.reset();
  }

 private:
  void Count(std::size_t index, std::size_t slot) {
    Diagnosis::Refusal& refusal = diagnosis_.refusals[index];
    ++refusal.nodes;
    refusal.which.Set(slot);
  }
  std::size_t Find(Verdict verdict) {
    key_.assign(verdict.plugin);
    key_ += static_cast<char>(verdict.code);
    for (const std::string& reason : verdict.reasons) key_.append(reason) += '\0';
    const auto [at, is_new] = indices_.try_emplace(key_, diagnosis_.refusals.size());
    if (is_new) diagnosis_.refusals.push_back({std::move(verdict), 0, Bitmap(slot_limit_)});
    return at->second;
  }

  Diagnosis& diagnosis_;
  std::size_t slot_limit_;
  std::size_t last_ = 0;
  std::optional<std::uint32_t> last_group_;
  std::size_t last_of_group_ = 0;
  boost::unordered_flat_map<std::uint32_t, std::size_t> groups_;  // index in diagnosis_.refusals
  std::string key_;
  boost::unordered_flat_map<std::string, std::size_t> indices_;  // index in diagnosis_.refusals
};

void AddName(std::vector<std::string_view>& names, std::string_view name) {
  const auto at = std::ranges::lower_bound(names, name);
  if (!name.empty() && (at == names.end() || *at != name)) names.insert(at, name);
}

void NamePlugins(Diagnosis& diagnosis, const Verdict& verdict) {
  if (verdict.rejected()) AddName(diagnosis.unschedulable_plugins, verdict.plugin);
  if (verdict.code == Code::Pending) AddName(diagnosis.pending_plugins, verdict.plugin);
}

Verdict NotAmong(std::vector<std::string_view> plugins) {
  std::ranges::sort(plugins);
  std::string text = "node(s) didn't satisfy plugin(s) [";
  for (std::size_t i = 0; i < plugins.size(); ++i)
    text.append(i == 0 ? "" : " ").append(plugins[i]);
  return Verdict::Of(Code::UnschedulableAndUnresolvable, text += "]");
}

}  // namespace

Diagnosis Framework::Explain(const Attempt& attempt) {
  Diagnosis diagnosis;
  diagnosis.node_count = cluster_.node_count();
  if (diagnosis.node_count == 0) return diagnosis;
  for (const std::string_view name : attempt.narrowed_by) {
    AddName(diagnosis.unschedulable_plugins, name);
  }
  if (!attempt.pre_filter.ok()) {
    (attempt.pre_filter.rejected() ? diagnosis.pre_filter : diagnosis.error) = attempt.pre_filter;
    NamePlugins(diagnosis, attempt.pre_filter);
    return diagnosis;
  }

  Refusals refusals(diagnosis, cluster_.slot_limit());
  Bitmap nodes = cluster_.nodes();
  if (attempt.narrowed) {
    const Verdict verdict = NotAmong(attempt.narrowed_by);
    Bitmap others = nodes;
    others.AndNot(*attempt.narrowed);
    others.ForEach([&](std::size_t i) { refusals.Add(verdict, i); });
    nodes.And(*attempt.narrowed);
  }
  Bitmap contended = cluster_.nominated_nodes();
  contended.And(nodes);
  contended.ForEach([&](std::size_t i) {
    const NodeSlot slot = static_cast<NodeSlot>(i);
    if (!IsContended(slot, attempt.pod)) return;
    nodes.Reset(i);
    Verdict verdict = Judge(attempt, attempt.filter_states, cluster_.view(slot));
    if (!verdict.ok()) refusals.Add(std::move(verdict), i);
  });
  for (const auto& [plugin, index, name] : At<FilterPlugin>()) {
    if (attempt.filters[index] == 0) continue;
    const PluginState* const state = attempt.filter_states[index].get();
    Bitmap fallen = nodes;
    plugin->Filter(state, nodes);
    fallen.AndNot(nodes);
    refusals.BeginPlugin();
    fallen.ForEach([&](std::size_t i) {
      const NodeView node = cluster_.view(static_cast<NodeSlot>(i));
      const auto judge = [&] { return NameFilter(plugin->Judge(state, node), name); };
      if (const std::optional<std::uint32_t> group = plugin->RefusalGroup(state, node)) {
        refusals.AddGrouped(*group, i, judge);
      } else {
        refusals.Add(judge(), i);
      }
    });
  }
  for (const Diagnosis::Refusal& refusal : diagnosis.refusals) {
    NamePlugins(diagnosis, refusal.verdict);
  }
  for (const auto& [plugin, index, name] : At<DiagnosisPlugin>()) {
    if (attempt.filters[index] == 0) continue;
    plugin->AddDetails(attempt.filter_states[index].get(), diagnosis);
  }
  return diagnosis;
}

}  // namespace plimsoll::scheduler
