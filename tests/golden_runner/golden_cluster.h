#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "golden.h"
#include "scheduler/cluster/cluster_state.h"
#include "scheduler/framework/framework.h"

namespace plimsoll::golden {

/// The cluster of a case with a pending pod, and a scheduler framework with the default profile.
/// Objects are used without defaults, as recorded. Must not outlive the case.
class GoldenCluster {
 public:
  explicit GoldenCluster(Case& one);
  ~GoldenCluster();

  /// Error of decoding the input, if any.
  const Mismatch& fault() const { return fault_; }
  scheduler::ClusterState& cluster() { return cluster_; }
  scheduler::Framework& framework() { return *framework_; }
  scheduler::PodUnderTest pod() const;

 private:
  struct List;

  void Load(Case& one, const List& list);
  scheduler::ObjectPtr Decode(Case& one, codec::Value& tree, const List& list);

  scheduler::ClusterState cluster_;
  std::unique_ptr<scheduler::Framework> framework_;
  scheduler::PodId pending_ = scheduler::kNoPod;
  Mismatch fault_;
};

}  // namespace plimsoll::golden
