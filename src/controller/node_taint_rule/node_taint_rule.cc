#include "controller/node_taint_rule/node_taint_rule.h"

#include <algorithm>
#include <array>

#include "base/overloaded.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

constexpr std::array<std::string_view, 1> kUnread{"status.images"};

/// Returns true if rules without expressions see no difference.
bool LooksTheSame(const api::Object& a, const api::Object& b) {
  const api::Node& x = *a.As<api::Node>();
  const api::Node& y = *b.As<api::Node>();
  return x.metadata.uid == y.metadata.uid && x.metadata.labels == y.metadata.labels &&
         x.metadata.annotations == y.metadata.annotations && x.spec.taints == y.spec.taints;
}

/// Returns true if the plan of the rule would be the same.
bool HasSamePlan(const api::Object& a, const api::Object& b) {
  const codec::Value* const x = a.tree().Find("spec");
  const codec::Value* const y = b.tree().Find("spec");
  return a.metadata().uid == b.metadata().uid &&
         a.metadata().deletion_timestamp == b.metadata().deletion_timestamp &&
         a.metadata().finalizers == b.metadata().finalizers && x != nullptr && y != nullptr &&
         *x == *y;
}

}  // namespace

std::span<const WatchedKind> NodeTaintRuleController::watched() const {
  static constexpr std::array kWatched = {
      WatchedKind{"", "v1", "Node", kUnread},
      WatchedKind{"plimsoll.io", "v1alpha1", "NodeTaintRule"},
  };
  return kWatched;
}

NodeTaintRuleController::PlaceKey NodeTaintRuleController::Look::key() const {
  return {std::string(node->metadata().name), rule.plan.owner.rule};
}

NodeTaintRuleController::Rule* NodeTaintRuleController::FindRule(std::string_view name) {
  const auto at = rules_.find(name);
  return at == rules_.end() ? nullptr : &at->second;
}

void NodeTaintRuleController::OnChange(const ObjectChanged& change, Instant now) {
  const ObjectPtr& object = change.new_object ? change.new_object : change.old_object;
  if (object->As<api::Node>() != nullptr) {
    OnNodeChange(change);
  } else if (object->As<api::NodeTaintRule>() != nullptr) {
    OnRuleChange(change, now);
  }
}

void NodeTaintRuleController::OnNodeChange(const ObjectChanged& change) {
  const ObjectPtr& object = change.new_object ? change.new_object : change.old_object;
  const std::string name(object->metadata().name);
  const auto known = nodes_.find(name);
  const bool is_gone =
      change.new_object == nullptr ||
      (known != nodes_.end() && known->second->metadata().uid != object->metadata().uid);
  if (is_gone) {
    for (auto& [rule_name, rule] : rules_) {
      rule.places.erase(name);
      rule.readings.erase(name);
      rule.is_status_dirty = true;
      places_.Erase({name, rule_name});
      tended_.Add(rule_name);
    }
  }
  if (change.new_object == nullptr) {
    nodes_.erase(name);
    return;
  }
  const bool is_same = !is_gone && known != nodes_.end() && LooksTheSame(*known->second, *object);
  nodes_[name] = object;
  for (const auto& [rule_name, rule] : rules_) {
    if (!is_same || rule.plan.reads_whole_node()) places_.Add({name, rule_name});
  }
}

void NodeTaintRuleController::OnRuleChange(const ObjectChanged& change, Instant now) {
  const ObjectPtr& object = change.new_object ? change.new_object : change.old_object;
  const std::string name(object->metadata().name);
  const auto known = rules_.find(name);
  if (known != rules_.end() && (change.new_object == nullptr ||
                                known->second.object->metadata().uid != object->metadata().uid)) {
    for (const auto& [node, place] : nodes_) places_.Erase({node, name});
    tended_.Erase(name);
    rules_.erase(known);
  }
  if (change.new_object == nullptr) return;
  const auto [at, is_new] = rules_.try_emplace(name);
  Rule& rule = at->second;
  const ObjectPtr before = std::exchange(rule.object, object);
  rule.is_writing = false;
  tended_.Add(name);
  if (!is_new && HasSamePlan(*before, *object)) return;
  RulePlan plan = RulePlan::Of(*object);
  const bool reads_same =
      !is_new && plan.source == rule.plan.source && plan.query.server == rule.plan.query.server &&
      plan.query.query == rule.plan.query.query && plan.node_label == rule.plan.node_label;
  rule.plan = std::move(plan);
  rule.is_status_dirty = true;
  rule.status_due = now;
  if (!reads_same) {
    // The outcome of a query in flight is ignored.
    rule.query = 0;
    rule.readings.clear();
    rule.has_answer = false;
    rule.failures = 0;
    rule.reads_since = now;
    rule.is_dead_at.reset();
  }
  rule.next_query = now;
  if (is_new) {
    rule.last_success = TimeAt(object->tree(), {"status", "lastSuccess"});
    if (rule.last_success) rule.reads_since = std::min(now, *rule.last_success);
  }
  QueueNodes(rule);
}

void NodeTaintRuleController::QueueNodes(Rule& rule) {
  for (const auto& [name, node] : nodes_) places_.Add({name, rule.plan.owner.rule});
}

void NodeTaintRuleController::Start() {
  // The rate of changes continues from the recorded times.
  for (auto& [name, rule] : rules_) {
    for (const auto& [node_name, node] : nodes_) {
      const auto own = OwnedTaintOf(*node, rule.plan.owner);
      if (own) rule.changes.push_back(own->changed_at);
    }
    std::ranges::sort(rule.changes);
  }
}

void NodeTaintRuleController::Finish(const ActionFinished& finished, const Turn& turn) {
  const auto at = under_way_.find(finished.id);
  if (at == under_way_.end()) return;
  const auto action = std::move(at->second);
  under_way_.erase(at);
  std::visit(
      Overloaded{[&](const TaintWrite& write) { FinishTaint(write.place, finished.status, turn); },
                 [&](const RuleWrite& write) {
                   Rule* const rule = FindRule(write.rule);
                   if (rule != nullptr) {
                     FinishRuleWrite(*rule, write, finished.status, turn.now);
                   }
                 },
                 [&](const MetricsQuery& query) {
                   Rule* const rule = FindRule(query.rule);
                   if (rule != nullptr && rule->query == finished.id) {
                     FinishQuery(*rule, finished, turn);
                   }
                 }},
      action);
}

void NodeTaintRuleController::FinishRuleWrite(Rule& rule, const RuleWrite& write,
                                              const Status& status, Instant now) {
  if (write.is_status) rule.is_writing_status = false;
  if (status) {
    tended_.Forget(write.rule);
    if (write.is_status) tended_.AddAt(write.rule, rule.status_due);
    return;
  }
  if (!write.is_status) rule.is_writing = false;
  rule.is_status_dirty = true;
  tended_.Retry(write.rule, now);
}

void NodeTaintRuleController::Run(const Turn& turn) {
  spent_ = 0;
  for (std::size_t judged = 0; judged < kJudgedMax && spent_ < kExpressionBudget; ++judged) {
    const std::optional<PlaceKey> key = places_.Take(turn.now);
    if (!key) break;
    JudgePlace(*key, turn);
  }
  input_.reset();
  input_of_.reset();
  while (const std::optional<std::string> name = tended_.Take(turn.now)) TendRule(*name, turn);
}

std::optional<Instant> NodeTaintRuleController::NextDue() const {
  const std::optional<Instant> a = places_.NextWake();
  const std::optional<Instant> b = tended_.NextWake();
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

}  // namespace plimsoll::controller
