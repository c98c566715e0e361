#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bitmap.h"
#include "base/random.h"
#include "scheduler/cluster/cluster_state.h"
#include "scheduler/framework/diagnosis.h"
#include "scheduler/framework/plugin.h"

namespace plimsoll::scheduler {

class Board;

/// A plugin as a profile has it.
struct EnabledPlugin {
  std::unique_ptr<Plugin> plugin;
  ExtensionPoints points = 0;  // a part of what it can
  std::int64_t weight = 1;     // of its score
};

struct FrameworkOptions {
  std::string profile = "default-scheduler";
  int percentage_of_nodes_to_score = 100;  // 0: adaptive, as upstream's default
};

/// What the plugins have made of one pod so far. Filter states by the plugin's place in the
/// profile.
struct Attempt {
  PodUnderTest pod;
  std::vector<std::shared_ptr<PluginState>> filter_states;
  std::vector<std::uint8_t> filters;  // 1: the plugin's Filter is to be asked
  Verdict pre_filter;                 // not Success: there is no use in going on
  std::optional<Bitmap> narrowed;     // the nodes that PreFilter left
  std::vector<std::string_view> narrowed_by;
};

/// All that can be said of one pod and every node, in upstream's terms: for explanations and golden
/// cases. Computed plainly, node by node, from fresh states.
struct Report {
  struct Score {
    std::string_view plugin;
    std::int64_t raw = 0;
    std::int64_t normalized = 0;
    std::int64_t weighted = 0;
  };
  struct Node {
    NodeSlot slot = kNoNode;
    bool is_excluded = false;  // PreFilter left it out
    Verdict verdict;
    std::vector<Score> scores;  // of feasible nodes
    std::int64_t total = 0;
  };

  Verdict pre_filter;
  std::optional<std::vector<NodeSlot>> narrowed;
  std::vector<std::string_view> skipped_filters;  // names, sorted
  std::vector<std::string_view> skipped_scores;
  Verdict pre_score;
  std::vector<Node> nodes;  // in the order of their names
  std::vector<NodeSlot> best;
};

/// Where the pod goes, or why it goes nowhere.
struct Placement {
  NodeSlot node = kNoNode;
  std::size_t feasible = 0;   // nodes that could take it
  std::size_t evaluated = 0;  // nodes that were looked at
  Verdict error;              // Code::Error: the attempt failed, for no fault of the pod
};

/// A profile at work. Finds the best node for a pod, with the answers about single nodes kept per
/// class of pods (Board), and gives the plain answer to everything else.
class Framework {
 public:
  Framework(ClusterState& cluster, std::vector<EnabledPlugin> plugins, FrameworkOptions options);
  ~Framework();
  Framework(const Framework&) = delete;
  Framework& operator=(const Framework&) = delete;

  const std::vector<EnabledPlugin>& plugins() const { return plugins_; }
  const FrameworkOptions& options() const { return options_; }
  ClusterState& cluster() { return cluster_; }

  /// Runs PreEnqueue; the first that is not Success.
  Verdict PreEnqueue(const api::Pod& pod) const;

  /// Runs PreFilter of all plugins, from fresh.
  Attempt Begin(const PodUnderTest& pod);

  /// The fast way: the best of all nodes (or of a sample), ties broken by `random`. A pod that was
  /// nominated to a node gets it if it fits.
  Placement Place(const PodUnderTest& pod, Random& random);

  /// Why Place found nothing. Node by node, so only when someone will read it.
  Diagnosis Explain(const PodUnderTest& pod);

  /// What can be done for a pod that Place found nothing for: asks the plugins in turn. The verdict
  /// joins what they said.
  PostFilterOutcome PostFilter(const Attempt& attempt, const Diagnosis& diagnosis, Random& random);

  /// The plain way to the same answer.
  Report Examine(const PodUnderTest& pod);

  /// Runs the filters on one node in order, together with pods nominated to it that go before this
  /// one; the first that does not accept. `node` may be a changed row, and `states` clones of
  /// `attempt.filter_states` that fit it.
  Verdict Judge(const Attempt& attempt, const std::vector<std::shared_ptr<PluginState>>& states,
                const NodeView& node);

  /// Clones for questions about what would be if; states that cannot change are shared.
  static std::vector<std::shared_ptr<PluginState>> CloneStates(const Attempt& attempt);
  void AddPod(const Attempt& attempt, const std::vector<std::shared_ptr<PluginState>>& states,
              PodId pod, const NodeView& node) const;
  void RemovePod(const Attempt& attempt, const std::vector<std::shared_ptr<PluginState>>& states,
                 PodId pod, const NodeView& node) const;

 private:
  Board& BoardFor(const PodClass& pod_class);

  ClusterState& cluster_;
  std::vector<EnabledPlugin> plugins_;
  FrameworkOptions options_;
  std::vector<std::unique_ptr<Board>> boards_;  // by ClassId
  std::size_t next_start_ = 0;                  // of sampling
};

}  // namespace plimsoll::scheduler
