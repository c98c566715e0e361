#include "scheduler/plugins/topology_column.h"

#include <algorithm>

namespace plimsoll::scheduler {

TopologyColumn::TopologyColumn(ClusterState& cluster, std::string_view key)
    : cluster_(cluster), key_(key), id_(cluster.index().AcquireTopology(key)) {}

TopologyColumn::~TopologyColumn() { cluster_.index().ReleaseTopology(id_); }

void TopologyColumn::CatchUp() {
  const Journal& journal = cluster_.journal();
  if (position_ == journal.end()) return;
  const std::size_t slot_limit = cluster_.slot_limit();
  // Any pod may name labels. A label that no node has must not cost memory per node.
  if (!codes_.empty()) codes_.resize(slot_limit);
  labelled_.Resize(slot_limit);
  if (const auto entries = journal.Since(position_)) {
    for (const JournalEntry& entry : *entries) {
      if ((entry.changes & (kNodeAdded | kNodeRemoved | kLabels)) != 0) Read(entry.slot);
    }
  } else {
    for (NodeSlot slot = 0; slot < slot_limit; ++slot) Read(slot);
  }
  code_limit_ = cluster_.index().TopologyValueLimit(id_) + 1;
  position_ = journal.end();
}

void TopologyColumn::Read(NodeSlot slot) {
  const match::MatchIndex& index = cluster_.index();
  const bool is_live = cluster_.nodes().Test(slot);
  const TopologyCode code = is_live ? index.TopologyValue(id_, slot) + 1 : kUnlabelled;
  if (codes_.empty()) {
    if (code == kUnlabelled) return;
    codes_.resize(cluster_.slot_limit());
  }
  codes_[slot] = code;
  labelled_.Assign(slot, code != kUnlabelled);
  if (code != kUnlabelled && index.TopologyText(id_, code - 1).empty()) code_of_empty_text_ = code;
}

TopologyCode TopologyColumn::CodeOfEmptyText() const {
  if (code_of_empty_text_ == kUnlabelled) return kUnlabelled;
  // The code may have been reused for another value, or be unused.
  const auto slot = std::ranges::find(codes_, code_of_empty_text_);
  const bool is_current =
      slot != codes_.end() && cluster_.index().TopologyText(id_, code_of_empty_text_ - 1).empty();
  return is_current ? code_of_empty_text_ : kUnlabelled;
}

std::shared_ptr<TopologyColumn> TopologyColumns::Get(std::string_view key) {
  const auto found = columns_.find(key);
  if (found != columns_.end()) {
    if (auto column = found->second.lock()) return column;
  }
  if (columns_.size() >= 2 * swept_ + 16) {
    std::erase_if(columns_, [](const auto& entry) { return entry.second.expired(); });
    swept_ = columns_.size();
  }
  auto column = std::make_shared<TopologyColumn>(cluster_, key);
  columns_.insert_or_assign(std::string(key), column);
  return column;
}

}  // namespace plimsoll::scheduler
