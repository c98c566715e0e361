#include "scheduler/plugins/pod_tally.h"

#include <algorithm>
#include <utility>

#include "scheduler/limits.h"

namespace plimsoll::scheduler {
namespace {

std::string_view AsText(const NodeSlot& slot) {
  return {reinterpret_cast<const char*>(&slot), sizeof(slot)};
}

}  // namespace

PodTally::PodTally(ClusterState& cluster, std::shared_ptr<TopologyColumn> column, CountedPods pods,
                   CountedNodes nodes)
    : cluster_(cluster),
      column_(std::move(column)),
      counted_pods_(std::move(pods)),
      counted_nodes_(std::move(nodes)),
      place_changes_(kNodeAdded | kNodeRemoved | kLabels |
                     (counted_nodes_.checks_taints ? kTaints : 0)) {}

void PodTally::CatchUp() {
  const Journal& journal = cluster_.journal();
  if (position_ == journal.end()) return;
  column_->CatchUp();
  for (const auto& column : counted_nodes_.labelled) column->CatchUp();
  pods_.resize(column_->code_limit());
  const auto entries = journal.Since(position_);
  work_ += entries ? entries->size() : cluster_.slot_limit();
  if (!entries) return Rebuild();
  for (const JournalEntry& entry : *entries) {
    if ((entry.changes & place_changes_) != 0) {
      nodes_are_current_ = false;
      Refresh(entry.slot);
    } else if ((entry.changes & (kPods | kPodTerminating)) != 0) {
      // The id may belong to another class by now. That is harmless: an existing pod keeps its
      // class alive, and a removed pod matters only if it was counted. The cell shows that.
      const PodClass* const pod_class = cluster_.FindClass(entry.pod_class);
      if ((pod_class != nullptr && Matches(*pod_class)) ||
          slots_.Find(AsText(entry.slot)) != Interner::kNone) {
        Refresh(entry.slot);
      }
    }
  }
  position_ = journal.end();
}

std::size_t PodTally::bytes() const {
  // An interner entry holds a short text and its index in a table.
  constexpr std::size_t kBytesOfCell = sizeof(Cell) + 80;
  return sizeof(PodTally) + cells_.capacity() * kBytesOfCell + pods_.capacity() * sizeof(pods_[0]) +
         nodes_.capacity() * sizeof(nodes_[0]) + answers_.capacity() * sizeof(answers_[0]);
}

void PodTally::Rebuild() {
  for (const Cell& cell : cells_) {
    if (cell.pods > 0) slots_.Release(slots_.Find(AsText(cell.slot)));
  }
  cells_.clear();
  std::ranges::fill(pods_, 0);
  labelled_pods_ = 0;
  nodes_are_current_ = false;
  if (MatchesAnyClass()) {
    const Bitmap& nodes = counted_pods_.only_labelled ? column_->labelled() : cluster_.nodes();
    nodes.ForEach([&](std::size_t slot) { Refresh(static_cast<NodeSlot>(slot)); });
  }
  position_ = cluster_.journal().end();
}

bool PodTally::Matches(const PodClass& pod_class) {
  if (pod_class.id >= answers_.size()) answers_.resize(pod_class.id + 1);
  std::uint64_t& answer = answers_[pod_class.id];
  if (answer / 2 != pod_class.serial) {
    answer = pod_class.serial * 2 + (counted_pods_.matches(pod_class) ? 1 : 0);
  }
  return answer % 2 != 0;
}

/// Avoids visiting all pods if the selector matches none, which is typical of malicious pods.
bool PodTally::MatchesAnyClass() {
  for (ClassId id = 0; id < cluster_.class_limit(); ++id) {
    const PodClass* const pod_class = cluster_.FindClass(id);
    if (pod_class != nullptr && Matches(*pod_class)) return true;
  }
  return false;
}

std::int64_t PodTally::Count(NodeSlot slot) {
  if (!cluster_.nodes().Test(slot)) return 0;
  if (counted_pods_.only_labelled && column_->code(slot) == kUnlabelled) return 0;
  std::int64_t count = 0;
  work_ += cluster_.row(slot).pods.size();
  for (const PodId id : cluster_.row(slot).pods) {
    const PodRecord& record = cluster_.pod(id);
    if (record.is_terminating && !counted_pods_.with_terminating) continue;
    if (Matches(*record.pod_class)) ++count;
  }
  return count;
}

/// Recounts one node from scratch, so that errors cannot accumulate.
void PodTally::Refresh(NodeSlot slot) {
  const std::int64_t count = Count(slot);
  Interner::Id id = slots_.Find(AsText(slot));
  if (id == Interner::kNone) {
    if (count == 0) return;
    id = slots_.Acquire(AsText(slot)).id;
    if (id >= cells_.size()) cells_.resize(id + 1);
  } else {
    Account(cells_[id], -1);
    cells_[id] = {};
    if (count == 0) {
      slots_.Release(id);
      return;
    }
  }
  cells_[id] = {slot, TopologyOf(slot), count};
  Account(cells_[id], 1);
}

void PodTally::Account(const Cell& cell, std::int64_t sign) {
  if (cell.code == kNotCounted) return;
  pods_[cell.code] += sign * cell.pods;
  if (cell.code != kUnlabelled) labelled_pods_ += sign * cell.pods;
}

TopologyCode PodTally::TopologyOf(NodeSlot slot) const {
  for (const auto& column : counted_nodes_.labelled) {
    if (column->code(slot) == kUnlabelled) return kNotCounted;
  }
  if (counted_nodes_.program && !cluster_.index().Accepts(*counted_nodes_.program, slot)) {
    return kNotCounted;
  }
  return column_->code(slot);
}

std::int64_t PodTally::PodsOn(NodeSlot slot) const {
  const Interner::Id id = slots_.Find(AsText(slot));
  return id == Interner::kNone ? 0 : cells_[id].pods;
}

std::span<const std::uint32_t> PodTally::nodes() {
  if (nodes_are_current_) return nodes_;
  Bitmap counted = cluster_.nodes();
  for (const auto& column : counted_nodes_.labelled) counted.And(column->labelled());
  if (counted_nodes_.program) counted.And(cluster_.index().Filter(*counted_nodes_.program));
  nodes_.assign(column_->code_limit(), 0);
  counted.ForEach([&](std::size_t slot) { ++nodes_[column_->code(static_cast<NodeSlot>(slot))]; });
  nodes_are_current_ = true;
  return nodes_;
}

std::size_t PodTallies::bytes() const {
  // A key, a map node, and the owner's data for it.
  constexpr std::size_t kBytesOfEntry = 1024;
  std::size_t sum = 0;
  for (const auto& [key, tally] : tallies_) sum += kBytesOfEntry + tally->bytes();
  return sum;
}

void PodTallies::ForgetIdle() {
  if (tallies_.size() > held_ + kIdleTalliesMax) Sweep();
}

void PodTallies::Sweep() {
  std::erase_if(tallies_, [](const auto& entry) { return entry.second.use_count() == 1; });
  held_ = tallies_.size();
}

}  // namespace plimsoll::scheduler
