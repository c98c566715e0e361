#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "base/time.h"
#include "controller/node_taint_rule/metric_values.h"
#include "controller/node_taint_rule/owned_taint.h"
#include "controller/node_taint_rule/rule_plan.h"
#include "controller/node_taint_rule/rule_status.h"
#include "controller/queued_controller.h"
#include "controller/work_queue.h"

namespace plimsoll::controller {

struct NodeTaintRuleOptions {
  /// True if the server tracks the owner of each taint (Plimsoll's, with the feature gate
  /// PlimsollTaintOwnership). False for a stock server.
  bool owns_single_taints = true;
};

/// Sets the taints of NodeTaintRules: selects nodes, reads the values of the rule's source, and
/// writes them as taints. docs/node-taint-rules.md describes its behaviour.
///
/// A rule owns one taint per node, which an annotation of the node records, and touches no other.
/// If another manager owns that taint, the rule reports a conflict and tries again later, with
/// back-off. A rule has a finalizer as long as it may have taints.
///
/// A value that the source does not provide leaves the taint as it is until it is stale. A stale
/// value never replaces the values of most nodes at once: see `IsSourceDead`.
class NodeTaintRuleController final : public QueuedController {
 public:
  static constexpr std::string_view kName = "node-taint-rule-controller";
  /// Minimum time between two writes of a rule's status, unless its spec changes.
  static constexpr Duration kStatusPeriod = std::chrono::seconds(10);
  /// Minimum time between two reports that find nothing to write.
  static constexpr Duration kReportPeriod = std::chrono::seconds(1);
  /// Minimum time between two writes of the status that only change `lastSuccess`.
  static constexpr Duration kSuccessPeriod = std::chrono::minutes(1);
  /// Cost that expressions may have in one call, in CEL's units. Further nodes follow in the next.
  static constexpr std::uint64_t kExpressionBudget = 10'000'000;
  /// Nodes that are judged in one call.
  static constexpr std::size_t kJudgedMax = 5'000;
  /// A failing query is repeated after the interval, doubled with each failure up to this factor.
  static constexpr int kQueryBackOffMax = 8;
  /// A taint that others have removed is set again after this time.
  static constexpr Duration kSetAgainAfter = std::chrono::seconds(30);
  static constexpr RetryOptions kRetry{.min = std::chrono::milliseconds(100),
                                       .max = std::chrono::minutes(1)};
  static constexpr RetryOptions kConflictWait{.min = std::chrono::seconds(30),
                                              .max = std::chrono::minutes(10)};

  explicit NodeTaintRuleController(NodeTaintRuleOptions options) : options_(options) {}

  std::string_view name() const override { return kName; }
  std::string_view component() const override { return kName; }
  void MeasureQueues(WorkQueueMetrics& metrics) override {
    places_.Measure(metrics.Add("node_taint_rule"));
  }
  std::span<const WatchedKind> watched() const override;

 private:
  using PlaceKey = std::pair<std::string, std::string>;  // node and rule

  /// A value of the last successful queries.
  struct Reading {
    double number = 0;
    Instant at{};
  };
  struct Conflict {
    std::string manager;  // empty: unknown
    std::string value;
    Duration wait{};
    Instant retry_at{};
  };
  /// State of a rule on a node that it selects or has tainted.
  struct Place {
    bool is_selected = false;
    bool has_taint = false;
    bool is_missing = false;           // the source has no valid value now
    bool is_stale = false;             // … and had none for too long
    std::optional<std::string> value;  // last valid one, rounded
    std::optional<Instant> seen_at;    // time at which the source had a valid value or none
    std::string fault;                 // reason of is_missing; may be empty
    bool is_writing = false;
    std::optional<OwnedTaint> writing;  // taint of the write in flight
    /// Result of a write whose watch event has not arrived.
    std::optional<std::optional<OwnedTaint>> expected;
    Instant written_at = Instant::min();
    int removals = 0;  // successful ones after which the record was still there
    std::optional<Conflict> conflict;
  };
  struct Rule {
    ObjectPtr object;
    RulePlan plan;
    std::map<std::string, Place, std::less<>> places;  // by node
    std::deque<Instant> changes;                       // those of the last minute
    bool is_ending = false;                            // its taints are being removed
    /// A write of its finalizer, or its deletion, is in flight, or the watch event of it.
    bool is_writing = false;

    // Prometheus.
    std::map<std::string, Reading, std::less<>> readings;  // by node
    ActionId query = 0;                                    // in flight; 0: none
    Instant next_query = Instant::min();
    int failures = 0;  // since the last success
    bool has_answer = false;
    std::string failure;
    Instant reads_since{};  // nodes without a reading have none since
    std::optional<Instant> last_success;
    bool is_dead = false;  // result of IsSourceDead at …
    std::optional<Instant> is_dead_at;

    // Status.
    bool is_status_dirty = true;
    bool has_reported = false;  // since the start of the controller
    bool is_writing_status = false;
    Instant status_due = Instant::min();
    bool has_conflict = false;  // as in the last event
    std::optional<bool> is_healthy;
  };

  /// Wanted state of a taint.
  struct Target {
    enum class Kind : std::uint8_t { Keep, None, Value };
    Kind kind = Kind::Keep;
    std::string value;
  };
  /// One look at a rule on a node.
  struct Look {
    Rule& rule;
    const ObjectPtr& node;
    Place& place;
    std::optional<OwnedTaint> own;  // as recorded, or as in the last write
    const Turn& turn;

    PlaceKey key() const;
  };

  // Actions in flight.
  struct TaintWrite {
    PlaceKey place;
  };
  struct RuleWrite {
    std::string rule;
    bool is_status = false;
  };
  struct MetricsQuery {
    std::string rule;
  };

  void OnChange(const ObjectChanged& change, Instant now) override;
  void Finish(const ActionFinished& finished, const Turn& turn) override;
  void Start() override;
  void Run(const Turn& turn) override;
  std::optional<Instant> NextDue() const override;

  // Objects.
  void OnNodeChange(const ObjectChanged& change);
  void OnRuleChange(const ObjectChanged& change, Instant now);
  void QueueNodes(Rule& rule);

  // Judgement of a rule on a node: judge.cc.
  void JudgePlace(const PlaceKey& key, const Turn& turn);
  /// Returns nullopt if the expression fails.
  std::optional<bool> Selects(const Rule& rule, const ObjectPtr& node, std::string& fault);
  Target TargetOf(Look& look);
  Target ReadSource(Look& look);
  Target ReadAnnotation(Look& look);
  Target ReadExpression(Look& look);
  Target ReadMetric(Look& look);
  Target ValueOrMissing(Look& look, std::optional<std::string> value, std::string_view source);
  Target Missing(Look& look, std::string fault);
  Target StaleTarget(Look& look);
  bool IsSourceDead(Rule& rule, Instant now);
  void Act(Look& look, const Target& target);
  bool MayWrite(Look& look, bool is_urgent, bool is_set_again);
  void Write(Look& look, std::optional<OwnedTaint> taint);
  void FinishTaint(const PlaceKey& key, const Status& status, const Turn& turn);
  void SetConflict(Look& look, std::string manager);
  const api::NodeInput& InputOf(const ObjectPtr& node);

  // Rules: tend.cc.
  void TendRule(const std::string& name, const Turn& turn);
  void EndRule(Rule& rule, const Turn& turn);
  bool HasTaints(const Rule& rule) const;
  void PatchFinalizers(Rule& rule, bool is_added, const Turn& turn);
  void Query(Rule& rule, const Turn& turn);
  void FinishQuery(Rule& rule, const ActionFinished& finished, const Turn& turn);
  void TakeValues(Rule& rule, const MetricValues& values, Instant now);
  void WriteStatus(Rule& rule, const Turn& turn);
  RuleReport ReportOf(const Rule& rule) const;
  static void ReportHealth(const Rule& rule, std::size_t faults, std::string_view fault,
                           RuleReport& report);
  void Announce(Rule& rule, const RuleReport& report, const Turn& turn);

  void FinishRuleWrite(Rule& rule, const RuleWrite& write, const Status& status, Instant now);

  Rule* FindRule(std::string_view name);

  const NodeTaintRuleOptions options_;
  std::map<std::string, ObjectPtr, std::less<>> nodes_;
  std::map<std::string, Rule, std::less<>> rules_;
  WorkQueue<PlaceKey> places_{kRetry};
  WorkQueue<std::string> tended_{kRetry};  // rules by name

  std::map<ActionId, std::variant<TaintWrite, RuleWrite, MetricsQuery>> under_way_;
  ActionId last_id_ = 0;
  std::uint64_t spent_ = 0;  // cost of expressions in this call
  std::optional<api::NodeInput> input_;
  ObjectPtr input_of_;  // node of `input_`
};

}  // namespace plimsoll::controller
