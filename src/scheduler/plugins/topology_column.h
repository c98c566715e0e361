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

/// Code of a node's value of one label: 0 without the label, else the value's id in the match index
/// plus one. Codes of one column are equal exactly if the values are.
using TopologyCode = std::uint32_t;
inline constexpr TopologyCode kUnlabelled = 0;

/// One label of all nodes as an array, for code that sums over all nodes.
class TopologyColumn {
 public:
  TopologyColumn(ClusterState& cluster, std::string_view key);
  ~TopologyColumn();
  TopologyColumn(const TopologyColumn&) = delete;
  TopologyColumn& operator=(const TopologyColumn&) = delete;

  const std::string& key() const { return key_; }
  match::ColumnId id() const { return id_; }

  /// Applies changes of the cluster. The queries below reflect the last call.
  void CatchUp();

  TopologyCode code(NodeSlot slot) const {
    return slot < codes_.size() ? codes_[slot] : kUnlabelled;
  }
  /// Codes by slot. Empty while no node has had the label; then every node is unlabelled.
  std::span<const TopologyCode> codes() const { return codes_; }
  /// Highest code plus one: the size of columns indexed by code.
  std::size_t code_limit() const { return code_limit_; }
  /// Nodes that have the label.
  const Bitmap& labelled() const { return labelled_; }
  /// Returns the code of the empty value, or kUnlabelled if no node has it.
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
  TopologyCode code_of_empty_text_ = kUnlabelled;  // as of the last Read
};

/// Shares one column per label, as long as someone holds it.
class TopologyColumns {
 public:
  explicit TopologyColumns(ClusterState& cluster) : cluster_(cluster) {}

  std::shared_ptr<TopologyColumn> Get(std::string_view key);

 private:
  ClusterState& cluster_;
  std::map<std::string, std::weak_ptr<TopologyColumn>, std::less<>> columns_;
  std::size_t swept_ = 0;  // number of columns left after the last removal of expired ones
};

}  // namespace plimsoll::scheduler
