#include <algorithm>
#include <utility>

#include "controller/node_taint_rule/node_taint_rule.h"
#include "controller/node_taint_rule/taint_number.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {

void NodeTaintRuleController::TendRule(const std::string& name, const Turn& turn) {
  Rule* const found = FindRule(name);
  if (found == nullptr) return;
  Rule& rule = *found;
  const RulePlan& plan = rule.plan;
  const bool has_expired = plan.expires && *plan.expires <= turn.now;
  if (plan.expires && !has_expired) tended_.AddAt(name, *plan.expires);
  if (plan.is_being_deleted || has_expired) {
    if (!rule.is_ending) {
      rule.is_ending = true;
      QueueNodes(rule);
      tended_.Add(name);
      return;
    }
    return EndRule(rule, turn);
  }
  if (std::exchange(rule.is_ending, false)) QueueNodes(rule);  // its end was put off
  if (plan.fault.empty() && plan.sets_taints() && !plan.has_finalizer) {
    PatchFinalizers(rule, true, turn);
  }
  if (plan.fault.empty() && plan.source == RulePlan::Source::Prometheus) Query(rule, turn);
  WriteStatus(rule, turn);
}

bool NodeTaintRuleController::HasTaints(const Rule& rule) const {
  const auto is_busy = [](const auto& one) {
    return one.second.is_writing || one.second.expected.value_or(std::nullopt).has_value();
  };
  const std::string annotation = rule.plan.owner.annotation();
  return std::ranges::any_of(rule.places, is_busy) ||
         std::ranges::any_of(nodes_, [&](const auto& one) {
           return one.second->metadata().annotations.Has(annotation);
         });
}

/// Deletes a rule that has expired, or lets the deletion of the rule continue, once it has no
/// taints.
void NodeTaintRuleController::EndRule(Rule& rule, const Turn& turn) {
  if (rule.is_writing || HasTaints(rule)) return;
  const RulePlan& plan = rule.plan;
  if (plan.is_being_deleted) {
    if (plan.has_finalizer) PatchFinalizers(rule, false, turn);
    return;
  }
  turn.Do(RecordEvent{.regarding = rule.object,
                      .type = EventType::Normal,
                      .reason = "Expired",
                      .message = "The rule has expired and is deleted",
                      .action = "Expiring"});
  rule.is_writing = true;
  under_way_[++last_id_] = RuleWrite{plan.owner.rule};
  turn.Do(DeleteObject{.id = last_id_, .object = rule.object});
}

void NodeTaintRuleController::PatchFinalizers(Rule& rule, bool is_added, const Turn& turn) {
  if (rule.is_writing) return;
  const api::ObjectMeta& metadata = rule.object->metadata();
  std::string list;
  const auto append = [&](std::string_view one) {
    list += (list.empty() ? "\"" : ",\"") + std::string(one) + "\"";
  };
  for (const std::string_view one : metadata.finalizers) {
    if (one != kRuleFinalizer) append(one);
  }
  if (is_added) append(kRuleFinalizer);
  rule.is_writing = true;
  under_way_[++last_id_] = RuleWrite{rule.plan.owner.rule};
  turn.Do(PatchObject{
      .id = last_id_,
      .object = rule.object,
      .body = JsonText()
                  .Raw("metadata", JsonText()
                                       .Text("uid", metadata.uid)
                                       .Text("resourceVersion", metadata.resource_version)
                                       .Raw("finalizers", "[" + list + "]")
                                       .Done())
                  .Done()});
}

void NodeTaintRuleController::Query(Rule& rule, const Turn& turn) {
  if (rule.query != 0) return;
  if (rule.next_query > turn.now) return tended_.AddAt(rule.plan.owner.rule, rule.next_query);
  api::QueryMetrics query = rule.plan.query;
  query.id = ++last_id_;
  under_way_[query.id] = MetricsQuery{rule.plan.owner.rule};
  rule.query = query.id;
  turn.Do(std::move(query));
}

void NodeTaintRuleController::FinishQuery(Rule& rule, const ActionFinished& finished,
                                          const Turn& turn) {
  rule.query = 0;
  Status status = finished.status;
  if (status) {
    static const std::string kEmpty;
    auto values =
        ParseMetricValues(finished.body == nullptr ? kEmpty : *finished.body, rule.plan.node_label);
    if (values) {
      TakeValues(rule, *values, turn.now);
    } else {
      status = std::unexpected(std::move(values).error());
    }
  }
  rule.is_dead_at.reset();
  rule.is_status_dirty = true;
  if (status) {
    rule.failures = 0;
    rule.next_query = turn.now + rule.plan.interval;
  } else {
    rule.failures = std::min(rule.failures + 1, kQueryBackOffMax);
    rule.failure = status.error().message;
    const int factor = std::min(1 << rule.failures, kQueryBackOffMax);
    rule.next_query = turn.now + rule.plan.interval * factor;
  }
  tended_.Add(rule.plan.owner.rule);
  QueueNodes(rule);
}

void NodeTaintRuleController::TakeValues(Rule& rule, const MetricValues& values, Instant now) {
  // Nodes that never had a value have none since the first answer, not since before a restart.
  if (!std::exchange(rule.has_answer, true)) rule.reads_since = now;
  rule.last_success = now;
  for (const auto& [node, number] : values.by_node) {
    if (nodes_.contains(node)) rule.readings[node] = {number, now};
  }
}

RuleReport NodeTaintRuleController::ReportOf(const Rule& rule) const {
  RuleReport report;
  std::size_t faults = 0;
  std::string_view fault;
  for (const auto& [node, place] : rule.places) {
    report.tainted += place.has_taint || place.expected.value_or(std::nullopt).has_value();
    if (!place.is_selected) continue;
    ++report.selected;
    report.stale += place.is_stale;
    if (place.value) report.values.push_back(*place.value);
    if (place.is_missing) ++faults;
    if (place.is_missing && fault.empty()) fault = place.fault;
    if (!place.conflict) continue;
    ++report.conflict_count;
    if (report.conflicts.size() < kConflictsShownMax) {
      report.conflicts.push_back({node, place.conflict->manager, place.conflict->value});
    }
  }
  report.last_success = rule.last_success;
  ReportHealth(rule, faults, fault, report);
  return report;
}

void NodeTaintRuleController::ReportHealth(const Rule& rule, std::size_t faults,
                                           std::string_view fault, RuleReport& report) {
  const auto set = [&](std::optional<bool> is_healthy, std::string_view reason,
                       std::string message) {
    report.is_healthy = is_healthy;
    report.health_reason = reason;
    report.health_message = std::move(message);
  };
  const std::string count =
      std::to_string(faults) + " of " + std::to_string(report.selected) + " nodes have no value";
  const std::string message = faults == 0     ? std::string()
                              : fault.empty() ? count
                                              : count + ": " + std::string(fault);
  if (!rule.plan.fault.empty()) return set(false, "InvalidRule", rule.plan.fault);
  if (rule.plan.source == RulePlan::Source::Prometheus) {
    if (rule.failures > 0) return set(false, "QueryFailed", rule.failure);
    if (!rule.has_answer) return set(std::nullopt, "NoAnswerYet", "");
    if (faults > 0 && faults == report.selected) return set(false, "NoValues", message);
    return set(true, "Answered", message);
  }
  if (faults > 0) return set(false, "InvalidValues", message);
  set(true, "Evaluated", "");
}

void NodeTaintRuleController::WriteStatus(Rule& rule, const Turn& turn) {
  const std::string& name = rule.plan.owner.rule;
  if (!rule.is_status_dirty || rule.is_writing_status) return;
  if (rule.status_due > turn.now) return tended_.AddAt(name, rule.status_due);
  // Values that are not judged yet would be missing.
  const std::optional<Instant> judged_next = places_.NextWake();
  const bool is_incomplete = judged_next && *judged_next <= turn.now;
  const bool is_asking = rule.query != 0 && !rule.has_answer && rule.failures == 0;
  // The first writes find the conflicts that a former controller has reported.
  const bool is_starting =
      !rule.has_reported &&
      std::ranges::any_of(rule.places, [](const auto& one) { return one.second.is_writing; });
  if (is_incomplete || is_asking || is_starting)
    return tended_.AddAt(name, turn.now + std::chrono::seconds(1));
  const RuleReport report = ReportOf(rule);
  rule.has_reported = true;
  Announce(rule, report, turn);
  rule.is_status_dirty = false;
  rule.status_due = turn.now + kReportPeriod;
  RuleStatus status = StatusOf(*rule.object, report, turn.now);
  if (status.difference == StatusDifference::None) return;
  if (status.difference == StatusDifference::OnlySuccess) {
    const auto stored = TimeAt(rule.object->tree(), {"status", "lastSuccess"});
    if (stored && *stored + kSuccessPeriod > turn.now) {
      rule.is_status_dirty = true;
      return tended_.AddAt(name, *stored + kSuccessPeriod);
    }
  }
  rule.is_writing_status = true;
  rule.status_due = turn.now + kStatusPeriod;
  under_way_[++last_id_] = RuleWrite{name, true};
  turn.Do(PatchObject{.id = last_id_,
                      .object = rule.object,
                      .subresource = "status",
                      .body = std::move(status.patch)});
}

/// Records events when the source fails or recovers, and when the first conflict appears.
void NodeTaintRuleController::Announce(Rule& rule, const RuleReport& report, const Turn& turn) {
  const auto record = [&](EventType type, std::string_view reason, std::string message) {
    turn.Do(RecordEvent{.regarding = rule.object,
                        .type = type,
                        .reason = std::string(reason),
                        .message = std::move(message),
                        .action = "Tainting"});
  };
  if (report.is_healthy) {
    const bool was_healthy = rule.is_healthy.value_or(true);
    if (was_healthy && !*report.is_healthy) {
      record(EventType::Warning, "SourceFailed",
             report.health_reason + ": " + report.health_message);
    } else if (!was_healthy && *report.is_healthy) {
      record(EventType::Normal, "SourceRecovered", "The source provides values again");
    }
    rule.is_healthy = report.is_healthy;
  }
  const bool has_conflict = report.conflict_count > 0;
  if (has_conflict && !rule.has_conflict) {
    const RuleConflict& first = report.conflicts.front();
    record(EventType::Warning, "TaintConflict",
           (first.manager.empty() ? std::string("Another manager")
                                  : "Manager \"" + first.manager + "\"") +
               " owns the taint " + rule.plan.owner.key + " of node " + first.node +
               "; the rule does not change it");
  }
  rule.has_conflict = has_conflict;
}

}  // namespace plimsoll::controller
