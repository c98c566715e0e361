#include "scheduler/framework/node_ranking.h"

#include <algorithm>

#include "base/assert.h"
#include "scheduler/framework/framework.h"
#include "scheduler/framework/scoring.h"

namespace plimsoll::scheduler {
namespace {

/// Changes of a node that its pods cause.
constexpr Changes kOfPods = kPods | kPodTerminating | kNominations;

}  // namespace

NodeRanking::NodeRanking(ClusterState& cluster, const std::vector<EnabledPlugin>& plugins,
                         std::vector<std::int64_t>& scratch, const PodClass& pod_class)
    : cluster_(cluster),
      plugins_(plugins),
      scratch_(scratch),
      serial_(pod_class.serial),
      priority_(pod_class.priority) {}

NodeRanking::~NodeRanking() = default;

void NodeRanking::CatchUp(const PodUnderTest& pod, PluginTimes* times) {
  times_ = times;
  const bool is_stale = std::ranges::any_of(
      shared_, [](const Shared& one) { return one.plugin->SharedVersion() != one.version; });
  const auto entries = cluster_.journal().Since(position_);
  if (is_stale || !entries || entries->size() > cluster_.slot_limit() + 64) {
    Rebuild(pod);
  } else if (is_valid_) {
    if (refused_by_.size() < cluster_.slot_limit()) Grow();
    for (const JournalEntry& entry : *entries) {
      // Most entries are pods added to nodes that the class cannot use anyway.
      if (refused_by_[entry.slot] < settled_ && (entry.changes & ~kOfPods) == 0) continue;
      RefreshNode(entry.slot, entry.changes);
    }
    RefreshShared(pod);
    NormalizeAgain();
  }
  position_ = cluster_.journal().end();
  times_ = nullptr;
}

bool NodeRanking::Scores(std::size_t index) const {
  return std::ranges::find(columns_, index, &Column::index) != columns_.end();
}

bool NodeRanking::Accepts(const Filter& filter, const NodeView& node) {
  const auto ask = [&] { return filter.plugin->Accepts(filter.state, node); };
  return times_ == nullptr ? ask() : times_->Measure(times_->filter, filter.index, ask);
}

std::int32_t NodeRanking::ScoreOf(const Column& column, NodeSlot slot) {
  const auto ask = [&] {
    return static_cast<std::int32_t>(
        column.plugin->ScoreOf(column.state.get(), cluster_.view(slot)));
  };
  return times_ == nullptr ? ask() : times_->Measure(times_->score, column.index, ask);
}

void NodeRanking::Rebuild(const PodUnderTest& pod) {
  is_filter_.assign(plugins_.size(), 0);
  outcomes_.assign(plugins_.size(), {});
  filters_.clear();
  shared_.clear();
  columns_.clear();
  pre_score_ = {};
  is_valid_ = true;
  RunPreFilter(pod);
  if (!is_valid_) return;
  FilterAll();
  for (std::size_t i = 0; i < plugins_.size(); ++i) AddColumn(pod, i);
  ComputeTotals();
}

void NodeRanking::RunPreFilter(const PodUnderTest& pod) {
  for (std::size_t i = 0; i < plugins_.size(); ++i) {
    const EnabledPlugin& plugin = plugins_[i];
    if (!plugin.IsEnabledAt(kFilter) || plugin.node_scoped == nullptr) continue;
    is_filter_[i] = 1;
    PreFilterOutcome& outcome = outcomes_[i];
    outcome = plugin.BeginFilter(pod);
    shared_.push_back({plugin.node_scoped, plugin.node_scoped->SharedVersion()});
    if (outcome.verdict.code == Code::Skip) continue;
    if (!outcome.verdict.ok() || outcome.nodes) is_valid_ = false;
    filters_.push_back({plugin.filter, i, plugin.node_scoped->depends_on(), outcome.state.get()});
  }
  PL_ASSERT(filters_.size() < kAbsent);
  // Filters that no pod can affect come first, so their refusals survive pod changes.
  const auto rest = std::ranges::stable_partition(
      filters_, [](const Filter& one) { return (one.depends_on & kOfPods) == 0; });
  settled_ = static_cast<std::uint8_t>(rest.begin() - filters_.begin());
}

void NodeRanking::FilterAll() {
  refused_by_.assign(cluster_.slot_limit(), kAbsent);
  feasible_ = cluster_.nodes();
  feasible_.Resize(cluster_.slot_limit());
  Bitmap fallen;
  for (std::size_t f = 0; f < filters_.size(); ++f) {
    fallen = feasible_;
    const auto filter = [&] { filters_[f].plugin->Filter(filters_[f].state, feasible_); };
    if (times_ == nullptr) {
      filter();
    } else {
      times_->Measure(times_->filter, filters_[f].index, filter);
    }
    fallen.AndNot(feasible_);
    fallen.ForEach([&](std::size_t i) { refused_by_[i] = static_cast<std::uint8_t>(f); });
  }
  feasible_.ForEach([&](std::size_t i) { refused_by_[i] = kAccepted; });
  cluster_.nominated_nodes().ForEach([&](std::size_t i) {
    if (refused_by_[i] != kAccepted) return;
    refused_by_[i] = FindRefusal(static_cast<NodeSlot>(i), kAnyChange);
    if (refused_by_[i] != kAccepted) feasible_.Reset(i);
  });
  feasible_count_ = feasible_.Count();
}

void NodeRanking::AddColumn(const PodUnderTest& pod, std::size_t index) {
  const EnabledPlugin& plugin = plugins_[index];
  if (!plugin.IsEnabledAt(kScore) || plugin.node_scoped == nullptr) return;
  Column column{.plugin = plugin.score,
                .node_scoped = plugin.node_scoped,
                .index = index,
                .depends_on = plugin.node_scoped->depends_on(),
                .weight = static_cast<std::int32_t>(plugin.weight),
                .normalization = plugin.score->normalization(),
                .state = {},
                .version = plugin.node_scoped->SharedVersion(),
                .scores = {},
                .tally = {},
                .highest = 0};
  if (!RunPreScore(pod, column)) {
    shared_.push_back({plugin.node_scoped, column.version});
    return;
  }
  FillColumn(column);
  columns_.push_back(std::move(column));
}

bool NodeRanking::RunPreScore(const PodUnderTest& pod, Column& column) {
  const EnabledPlugin& plugin = plugins_[column.index];
  PreScoreOutcome outcome =
      plugin.BeginScore(pod.pod_class, outcomes_[column.index].state.get(), feasible_);
  if (!outcome.verdict.ok() && outcome.verdict.code != Code::Skip) {
    pre_score_ = std::move(outcome.verdict);
    pre_score_.plugin = plugin.name();
  }
  column.state = std::move(outcome.state);
  return outcome.verdict.ok();
}

void NodeRanking::FillColumn(Column& column) {
  const std::size_t limit = cluster_.slot_limit();
  column.scores.Reset(limit);
  column.tally.Clear();
  if (scratch_.size() < limit) scratch_.resize(limit);
  const auto score = [&] { column.plugin->Score(column.state.get(), feasible_, scratch_); };
  if (times_ == nullptr) {
    score();
  } else {
    times_->Measure(times_->score, column.index, score);
  }
  feasible_.ForEach(
      [&](std::size_t i) { column.scores.Set(i, static_cast<std::int32_t>(scratch_[i])); });
  if (column.normalization == Normalization::None) return;
  if (column.scores.is_zero()) {
    column.tally.Add(0, feasible_count_);
  } else {
    feasible_.ForEach([&](std::size_t i) { column.tally.Add(column.scores.Get(i)); });
  }
}

void NodeRanking::RefreshShared(const PodUnderTest& pod) {
  bool is_changed = false;
  for (Column& column : columns_) {
    const std::uint64_t version = column.node_scoped->SharedVersion();
    if (version == column.version) continue;
    column.version = version;
    if (!RunPreScore(pod, column)) {
      Rebuild(pod);
      return;
    }
    FillColumn(column);
    is_changed = true;
  }
  if (is_changed) ComputeTotals();
}

void NodeRanking::Grow() {
  const std::size_t limit = cluster_.slot_limit();
  refused_by_.resize(limit, kAbsent);
  feasible_.Resize(limit);
  totals_.Grow(limit);
  for (Column& column : columns_) column.scores.Grow(limit);
}

void NodeRanking::RefreshNode(NodeSlot slot, Changes changes) {
  if ((changes & (kNodeAdded | kNodeRemoved)) != 0) changes = kAnyChange;
  if ((changes & kNominations) != 0) changes |= kPods;
  const std::uint8_t before = refused_by_[slot];
  if (!cluster_.nodes().Test(slot)) {
    Refuse(slot, kAbsent);
  } else if (before == kAccepted) {
    const std::uint8_t after = FindRefusal(slot, changes);
    if (after == kAccepted) {
      Accept(slot, changes);
    } else {
      Refuse(slot, after);
    }
  } else if (before == kAbsent || (filters_[before].depends_on & changes) != 0) {
    refused_by_[slot] = FindRefusal(slot, kAnyChange);
    if (refused_by_[slot] == kAccepted) AddFeasible(slot);
  }
}

std::uint8_t NodeRanking::FindRefusal(NodeSlot slot, Changes changes) {
  const NodeView view = cluster_.view(slot);
  const bool is_crowded = !view.row.nominated.empty() && AddNominatedPods(slot);
  for (std::size_t f = 0; f < filters_.size(); ++f) {
    const Filter& filter = filters_[f];
    if ((filter.depends_on & changes) == 0) continue;
    if (!Accepts(filter, view) || (is_crowded && !Accepts(filter, {slot, row_with_nominated_}))) {
      return static_cast<std::uint8_t>(f);
    }
  }
  return kAccepted;
}

bool NodeRanking::AddNominatedPods(NodeSlot slot) {
  const NodeRow& row = cluster_.row(slot);
  bool is_crowded = false;
  for (const PodId id : row.nominated) {
    const PodClass& pod_class = *cluster_.pod(id).pod_class;
    if (pod_class.priority < priority_) continue;
    if (!is_crowded) row_with_nominated_ = row;
    is_crowded = true;
    row_with_nominated_.AddPod(id, pod_class);
  }
  return is_crowded;
}

void NodeRanking::Refuse(NodeSlot slot, std::uint8_t filter) {
  if (refused_by_[slot] == kAccepted) {
    for (Column& column : columns_) {
      if (column.normalization != Normalization::None) column.tally.Remove(column.scores.Get(slot));
    }
    feasible_.Reset(slot);
    --feasible_count_;
    totals_.Set(slot, BlockMaxima::kNone);
  }
  refused_by_[slot] = filter;
}

void NodeRanking::AddFeasible(NodeSlot slot) {
  feasible_.Set(slot);
  ++feasible_count_;
  for (Column& column : columns_) {
    const std::int32_t score = ScoreOf(column, slot);
    column.scores.Set(slot, score);
    if (column.normalization != Normalization::None) column.tally.Add(score);
  }
  totals_.Set(slot, TotalOf(slot));
}

void NodeRanking::Accept(NodeSlot slot, Changes changes) {
  for (Column& column : columns_) {
    if ((column.depends_on & changes) == 0) continue;
    const std::int32_t score = ScoreOf(column, slot);
    if (column.normalization != Normalization::None) {
      column.tally.Remove(column.scores.Get(slot));
      column.tally.Add(score);
    }
    column.scores.Set(slot, score);
  }
  totals_.Set(slot, TotalOf(slot));
}

std::int32_t NodeRanking::TotalOf(NodeSlot slot) const {
  std::int64_t total = 0;
  for (const Column& column : columns_) {
    total +=
        column.weight * Normalized(column.normalization, column.scores.Get(slot), column.highest);
  }
  return static_cast<std::int32_t>(total);
}

void NodeRanking::ComputeTotals() {
  const std::size_t limit = cluster_.slot_limit();
  for (Column& column : columns_) column.highest = column.tally.highest();
  if (scratch_.size() < limit) scratch_.resize(limit);
  AddUp(feasible_, [](const Column& column) { return column.highest; }, scratch_);
  totals_.Assign(limit, feasible_, scratch_);
}

template <class HighestOf>
void NodeRanking::AddUp(const Bitmap& some, HighestOf&& highest_of,
                        std::span<std::int64_t> totals) const {
  some.ForEach([&](std::size_t i) { totals[i] = 0; });
  for (const Column& column : columns_) {
    const std::int64_t weight = column.weight;
    const std::int32_t highest = highest_of(column);
    if (column.scores.is_zero()) {
      const std::int64_t same = weight * Normalized(column.normalization, 0, highest);
      if (same == 0) continue;
      some.ForEach([&](std::size_t i) { totals[i] += same; });
    } else if (column.normalization == Normalization::None) {
      some.ForEach([&](std::size_t i) { totals[i] += weight * column.scores.Get(i); });
    } else {
      some.ForEach([&](std::size_t i) {
        totals[i] += weight * Normalized(column.normalization, column.scores.Get(i), highest);
      });
    }
  }
}

void NodeRanking::NormalizeAgain() {
  const bool is_stale = std::ranges::any_of(
      columns_, [](const Column& column) { return column.highest != column.tally.highest(); });
  if (is_stale) ComputeTotals();
}

bool NodeRanking::AreHighestIn(const Bitmap& some, std::vector<std::int32_t>& highest) const {
  bool are_highest = true;
  highest.clear();
  for (const Column& column : columns_) {
    std::int32_t found = 0;
    if (column.highest != 0) {
      some.ForEach([&](std::size_t i) { found = std::max(found, column.scores.Get(i)); });
    }
    highest.push_back(found);
    are_highest = are_highest && found == column.highest;
  }
  return are_highest;
}

NodeSlot NodeRanking::PickAmong(const Bitmap& some, Random& random) {
  std::vector<std::int32_t> highest;
  if (AreHighestIn(some, highest)) {
    return static_cast<NodeSlot>(totals_.PickAmong(some, random));
  }
  if (scratch_.size() < some.size()) scratch_.resize(some.size());
  WriteTotals(some, scratch_);
  return PickBest(some, scratch_, random);
}

void NodeRanking::WriteTotals(const Bitmap& some, std::span<std::int64_t> totals) const {
  std::vector<std::int32_t> highest;
  if (AreHighestIn(some, highest)) {
    some.ForEach([&](std::size_t i) { totals[i] = totals_.Get(i); });
    return;
  }
  AddUp(
      some,
      [&](const Column& column) {
        return highest[static_cast<std::size_t>(&column - columns_.data())];
      },
      totals);
}

std::size_t NodeRanking::MemoryBytes() const {
  std::size_t bytes = sizeof(NodeRanking) + refused_by_.capacity() + feasible_.MemoryBytes() +
                      totals_.MemoryBytes() + outcomes_.capacity() * sizeof(PreFilterOutcome) +
                      columns_.capacity() * sizeof(Column);
  for (const Column& column : columns_) {
    bytes += column.scores.MemoryBytes() + column.tally.MemoryBytes();
  }
  return bytes;
}

}  // namespace plimsoll::scheduler
