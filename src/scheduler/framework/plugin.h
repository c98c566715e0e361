#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bitmap.h"
#include "base/random.h"
#include "base/result.h"
#include "base/time.h"
#include "scheduler/cluster/cluster_state.h"
#include "scheduler/framework/cluster_event.h"
#include "scheduler/framework/verdict.h"

namespace plimsoll::scheduler {

class Framework;
class WaitingPods;
struct Attempt;
struct Diagnosis;

/// Where a plugin takes part, as bits, in upstream's order.
enum ExtensionPoint : std::uint16_t {
  kPreEnqueue = 1 << 0,
  kQueueSort = 1 << 1,
  kPreFilter = 1 << 2,
  kFilter = 1 << 3,
  kPostFilter = 1 << 4,
  kPreScore = 1 << 5,
  kScore = 1 << 6,
  kReserve = 1 << 7,
  kPermit = 1 << 8,
  kPreBind = 1 << 9,
  kBind = 1 << 10,
  kPostBind = 1 << 11,
};
inline constexpr std::size_t kExtensionPoints = 12;
using ExtensionPoints = std::uint16_t;
std::string_view ToText(ExtensionPoint point);  // PreEnqueue, …

/// The pod of a question. `id` is kNoPod for a pod that is not in the cluster's table.
struct PodUnderTest {
  PodId id = kNoPod;
  const api::Pod& pod;
  const PodClass& pod_class;
};

/// Limits work that is done ahead of an attempt, so that other pods need not wait for all of it.
struct WorkBudget {
  std::uint64_t left = 0;         // nodes and pods that may still be looked at
  std::function<bool()> is_late;  // may be null

  bool IsSpent() const { return left == 0 || (is_late && is_late()); }
  void Spend(std::uint64_t work) { left -= std::min(left, work); }
};

/// What a plugin has worked out about a pod, for its own later methods. Plugins derive from it.
class PluginState {
 public:
  virtual ~PluginState() = default;
  /// A copy that AddPod and RemovePod may change, or null when those change nothing in it and one
  /// state serves all. Asked by preemption and about nominated pods.
  virtual std::unique_ptr<PluginState> Clone() const { return nullptr; }
};

struct PreFilterOutcome {
  Verdict verdict;  // Success, Skip (Filter has nothing to say), or why there is no use in trying
  std::shared_ptr<PluginState> state;          // may be null
  std::optional<std::vector<NodeSlot>> nodes;  // none but these can be meant
};

struct PreScoreOutcome {
  Verdict verdict;  // Success, Skip (Score has nothing to say), Error
  std::shared_ptr<PluginState> state;
  /// Every node would get the same score, so that it need not be asked to find the best.
  bool is_flat = false;
};

enum class WriteKind : std::uint8_t {
  MergePatch,      // JSON merge patch
  StrategicPatch,  // strategic merge patch
  Create,          // the body is the whole object
  Delete,          // of this very object, by its uid; one that is gone is as good
};

/// A change that a plugin wants at the server. A merge patch names the resourceVersion that it was
/// made from, so that it fails when that is old; a strategic one is such that it may meet any
/// version.
struct ObjectWrite {
  ObjectPtr object;  // as the plugin saw it
  std::string body;
  WriteKind kind = WriteKind::MergePatch;
  std::string_view subresource = {};  // a literal
};

/// What Permit says.
struct PermitOutcome {
  Verdict verdict;                      // Success, Wait, or a refusal
  Duration timeout = Duration::zero();  // with Wait: how long; a quarter of an hour at most
};

/// What PreBind says.
struct PreBindOutcome {
  enum class Next : std::uint8_t {
    Bind,  // nothing stands in the way
    Wait,  // ask again once the writes are through, at each event of `waits_for`, and at
           // `deadline`
    Fail,  // give the pod back, with `error`
  };
  Next next = Next::Bind;
  std::vector<ObjectWrite> writes;  // with Wait: to be sent, in order; a failure fails the pod
  std::vector<EventInterest> waits_for;
  std::optional<Instant> deadline;
  std::string error;
  std::string_view event_reason;  // with Wait: an event about the pod, unless it is empty
  std::string event_note;
};

/// What can be done for a pod that no node can take.
struct PostFilterOutcome {
  enum class Nomination : std::uint8_t { Leave, Clear, Set };

  Verdict verdict;  // Success: room will be made on `node`; its words are part of the event
  Nomination nomination = Nomination::Leave;
  NodeSlot node = kNoNode;           // with Set
  std::vector<PodId> victims;        // to be evicted
  std::vector<PodId> out_nominated;  // of lower priority, nominated to the node: no longer
  std::vector<ObjectWrite> writes;   // may help a later attempt; nobody waits for them
};

/// What an answer about a node may depend on.
enum class Scope : std::uint8_t {
  /// The class of the pod and that node alone: its row, labels, taints, images, plus what
  /// `SharedVersion` covers. Such answers are kept per class and renewed only for nodes that the
  /// journal names.
  Node,
  /// Other nodes and pods, claims, or the pod itself: asked anew for each pod.
  Cluster,
};

/// How the scores of the feasible nodes become 0 … 100.
enum class Normalization : std::uint8_t {
  None,     // they are already
  Highest,  // the highest is 100
  Lowest,   // 0 is 100, the highest is 0
  Custom,   // Normalize does it; only with Scope::Cluster
};

/// What the framework asks. A plugin is one file: it overrides what it takes part in and says so in
/// `points`. Filters and scores come in two forms with one meaning, for one node and for a set; the
/// set form is what makes it fast, and need only be written where a plugin can do better than
/// asking about each node.
///
/// Methods of the question read the cluster's state as it is; nothing may be kept by address beyond
/// the call except in a PluginState of Scope::Node, which may keep programs and ids that it
/// releases itself.
class Plugin {
 public:
  virtual ~Plugin() = default;

  virtual std::string_view name() const = 0;
  virtual ExtensionPoints points() const = 0;

  // The queue.

  /// Whether the pod may be tried at all.
  virtual Verdict PreEnqueue(const api::Object& /*pod*/) const { return {}; }
  /// Which events may turn this plugin's refusal round.
  virtual std::vector<EventInterest> Interests() const { return {}; }
  /// Whether this event may; asked only about pods that the plugin refused. `pod` is waiting. The
  /// answer may depend on the pod's class and the event alone, so that it is asked once for all
  /// pods of a class, unless the pod has claims (of volumes or devices) or the event is the pod's
  /// own.
  virtual Hint HintFor(const PodRecord& /*pod*/, const ClusterEvent& /*event*/) const {
    return Hint::Queue;
  }

  // Which nodes can take the pod.

  virtual Scope filter_scope() const { return Scope::Cluster; }
  /// With Scope::Node: which changes of a node change the answer about it (Filter and Score).
  virtual Changes depends_on() const { return kAnyChange; }
  /// With Scope::Node: a number that changes when the answers about all nodes may have changed,
  /// because of something that no node's own change tells.
  virtual std::uint64_t SharedVersion() const { return 0; }

  /// Does ahead the part of PreFilter and PreScore that may take long. False: the budget is spent
  /// and there is more to do; the next call goes on from there.
  virtual bool Prepare(const PodUnderTest& /*pod*/, WorkBudget& /*budget*/) { return true; }
  virtual PreFilterOutcome PreFilter(const PodUnderTest& /*pod*/) { return {}; }
  /// Whether the node passes. Says the same as Judge, without words.
  virtual bool Accepts(const PluginState* state, const NodeView& node) const {
    return Judge(state, node).ok();
  }
  /// Why it does not, with upstream's words.
  virtual Verdict Judge(const PluginState* /*state*/, const NodeView& /*node*/) const { return {}; }
  /// Of a node that does not pass: those with the same number have the same verdict, so that it is
  /// made once for all of them. Nothing: each is judged by itself, as must be where that can fail.
  virtual std::optional<std::uint32_t> RefusalGroup(const PluginState* /*state*/,
                                                    const NodeView& /*node*/) const {
    return std::nullopt;
  }
  /// Keeps those of `nodes` that pass.
  virtual void Filter(const PluginState* state, Bitmap& nodes) const;
  /// Of a plugin of Scope::Cluster whose Judge can fail: one of the nodes that Filter has taken out
  /// for that, so that the attempt fails.
  virtual std::optional<NodeSlot> FilterFault(const PluginState* /*state*/) const {
    return std::nullopt;
  }
  /// Adds what it knows about the nodes that it refused and that no verdict says.
  virtual void Elaborate(const PluginState* /*state*/, Diagnosis& /*diagnosis*/) const {}
  /// What would be if another pod came to a node or left it. The row has been changed already.
  virtual void AddPod(PluginState* /*state*/, PodId /*pod*/, const NodeView& /*node*/) const {}
  virtual void RemovePod(PluginState* /*state*/, PodId /*pod*/, const NodeView& /*node*/) const {}

  // Which of them is best.

  virtual Scope score_scope() const { return Scope::Cluster; }
  virtual Normalization normalization() const { return Normalization::None; }
  /// `feasible` is meant only for Scope::Cluster; plugins of Scope::Node must not look at it.
  /// `filter_state` is what PreFilter made.
  virtual PreScoreOutcome PreScore(const PodUnderTest& /*pod*/, const PluginState* /*filter_state*/,
                                   const Bitmap& /*feasible*/) {
    return {};
  }
  virtual std::int64_t ScoreOf(const PluginState* /*state*/, const NodeView& /*node*/) const {
    return 0;
  }
  /// Writes the score of each of `nodes` to its slot in `scores`.
  virtual void Score(const PluginState* state, const Bitmap& nodes,
                     std::span<std::int64_t> scores) const;
  /// With Normalization::Custom.
  virtual void Normalize(const PluginState* /*state*/, const Bitmap& /*nodes*/,
                         std::span<std::int64_t> /*scores*/) const {}

  // When no node can take it.

  /// Asked in the profile's order until one has Success or UnschedulableAndUnresolvable.
  virtual PostFilterOutcome PostFilter(Framework& /*framework*/, const Attempt& /*attempt*/,
                                       const Diagnosis& /*diagnosis*/, Random& /*random*/) {
    return {Verdict::Of(Code::Unschedulable, {}), {}, {}, {}, {}};
  }

  // After the choice.

  /// Takes what the pod needs on the node, in memory; what PreFilter made is at hand.
  virtual Verdict Reserve(const PodUnderTest& /*pod*/, const PluginState* /*state*/,
                          NodeSlot /*node*/) {
    return {};
  }
  /// Gives it back. Also called when Reserve was not, or failed. What is returned is to be taken
  /// back at the server, too; nobody waits for it.
  virtual std::vector<ObjectWrite> Unreserve(const PodUnderTest& /*pod*/, NodeSlot /*node*/) {
    return {};
  }
  /// Whether the pod may go to the node it has. A plugin that says Wait lets it go, or rejects it,
  /// through `waiting` later; that lives as long as the plugin. Unreserve is told when others end
  /// the wait.
  virtual PermitOutcome Permit(const PodUnderTest& /*pod*/, NodeSlot /*node*/,
                               WaitingPods& /*waiting*/) {
    return {};
  }
  /// What is to be done and waited for between Permit and the binding. Asked until it says Bind or
  /// Fail, or the pod is given up for another reason and unreserved.
  virtual PreBindOutcome PreBind(const PodUnderTest& /*pod*/, NodeSlot /*node*/, Instant /*now*/) {
    return {};
  }
  /// What PreBind asked to be written has failed. True: it is to be asked again, because nobody
  /// knows whether it was done; false with `error` changed to what is to be said: the pod is given
  /// back.
  virtual bool RepeatsWrites(const PodUnderTest& /*pod*/, Error& /*error*/) { return false; }
  /// The pod is bound. The node may be gone since.
  virtual void PostBind(const PodUnderTest& /*pod*/, std::string_view /*node*/) {}

 protected:
  explicit Plugin(ClusterState& cluster) : cluster_(cluster) {}

  ClusterState& cluster_;
};

}  // namespace plimsoll::scheduler
