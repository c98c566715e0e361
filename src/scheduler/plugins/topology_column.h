#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bitmap.h"
#include "scheduler/cluster/cluster_state.h"

namespace plimsoll::scheduler {

/// Where a node is, as far as one label tells: 0 for a node without the label, else one above the
/// id that the match index has given the value. Codes of one column are equal when the values are.
using TopologyCode = std::uint32_t;
inline constexpr TopologyCode kUnlabelled = 0;

/// One label of all nodes as an array, for code that adds something up for every node.
class TopologyColumn {
 public:
  TopologyColumn(ClusterState& cluster, std::string_view key);
  ~TopologyColumn();
  TopologyColumn(const TopologyColumn&) = delete;
  TopologyColumn& operator=(const TopologyColumn&) = delete;

  const std::string& key() const { return key_; }
  match::ColumnId id() const { return id_; }

  /// Takes in what has changed. What is read below is as of the last call.
  void CatchUp();

  TopologyCode code(NodeSlot slot) const {
    return slot < codes_.size() ? codes_[slot] : kUnlabelled;
  }
  /// By slot. Empty while no node has had the label; then every node is unlabelled.
  std::span<const TopologyCode> codes() const { return codes_; }
  /// One above the greatest code; columns by code have this size.
  std::size_t code_limit() const { return code_limit_; }
  /// Nodes that have the label.
  const Bitmap& labelled() const { return labelled_; }
  /// The code of the empty value, or kUnlabelled when no node has it.
  TopologyCode CodeOfEmptyText() const;

 private:
  void Read(NodeSlot slot);

  ClusterState& cluster_;
  std::string key_;
  match::ColumnId id_;
  Journal::Position position_ = 0;
  std::vector<TopologyCode> codes_;
  Bitmap labelled_;
  std::size_t code_limit_ = 1;
  TopologyCode code_of_empty_text_ = kUnlabelled;  // as last seen
};

/// Hands out one column per label, for as long as somebody holds it.
class TopologyColumns {
 public:
  explicit TopologyColumns(ClusterState& cluster) : cluster_(cluster) {}

  std::shared_ptr<TopologyColumn> Get(std::string_view key);

 private:
  ClusterState& cluster_;
  std::map<std::string, std::weak_ptr<TopologyColumn>, std::less<>> columns_;
  std::size_t swept_ = 0;  // columns that were left when those without a holder were last removed
};

}  // namespace plimsoll::scheduler
