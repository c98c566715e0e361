#include <algorithm>
#include <utility>

#include "controller/node_taint_rule/node_taint_rule.h"
#include "controller/node_taint_rule/taint_number.h"

namespace plimsoll::controller {
namespace {

constexpr Duration kMinute = std::chrono::minutes(1);
/// The watch event of a write arrives earlier than this, or never (in a dry run).
constexpr Duration kEventAwaited = std::chrono::seconds(10);

/// Returns the first text in double quotes: the manager in the message of a conflict, for people.
std::string Quoted(std::string_view message) {
  const std::size_t from = message.find('"');
  if (from == message.npos) return {};
  const std::size_t to = message.find('"', from + 1);
  return to == message.npos ? std::string() : std::string(message.substr(from + 1, to - from - 1));
}

}  // namespace

const api::NodeInput& NodeTaintRuleController::InputOf(const ObjectPtr& node) {
  if (input_of_ != node) {
    input_.emplace(node->tree());
    input_of_ = node;
  }
  return *input_;
}

void NodeTaintRuleController::JudgePlace(const PlaceKey& key, const Turn& turn) {
  Rule* const rule = FindRule(key.second);
  const auto node = nodes_.find(key.first);
  if (rule == nullptr || node == nodes_.end()) return;
  const auto known = rule->places.find(key.first);
  std::optional<OwnedTaint> own = OwnedTaintOf(*node->second, rule->plan.owner);
  if (known != rule->places.end()) {
    Place& place = known->second;
    if (place.expected &&
        (*place.expected == own || turn.now - place.written_at >= kEventAwaited)) {
      place.expected.reset();
    }
    if (place.expected) {
      if (*place.expected != own) places_.AddAt(key, place.written_at + kEventAwaited);
      own = *place.expected;
    }
  }
  std::string fault;
  const bool is_over = rule->is_ending || rule->plan.is_being_deleted;
  const std::optional<bool> selects =
      is_over ? std::optional(false) : Selects(*rule, node->second, fault);
  const bool is_selected =
      selects.value_or(own || (known != rule->places.end() && known->second.is_selected));
  rule->is_status_dirty = true;
  tended_.Add(key.second);
  if (!is_selected && !own && known == rule->places.end()) return;
  Place& place = rule->places[key.first];
  place.is_selected = is_selected;
  Look look{*rule, node->second, place, std::move(own), turn};
  place.has_taint = look.own && !look.own->effect.empty();
  if (selects) {
    Act(look, TargetOf(look));
  } else {
    place.fault = std::move(fault);
    place.is_missing = true;
  }
  if (!is_selected && !look.own && !place.is_writing && !place.expected) {
    rule->places.erase(key.first);
  }
}

std::optional<bool> NodeTaintRuleController::Selects(const Rule& rule, const ObjectPtr& node,
                                                     std::string& fault) {
  const RulePlan& plan = rule.plan;
  const api::ObjectMeta& metadata = node->metadata();
  if (!plan.fault.empty()) {
    fault = plan.fault;
    return std::nullopt;
  }
  if (plan.selects_none || !plan.labels.Matches(metadata.labels)) return false;
  if (!plan.names.empty() && !plan.names.contains(metadata.name)) return false;
  if (!plan.selection) return true;
  const Result<bool> answer = plan.selection->Matches(InputOf(node), spent_);
  if (answer) return *answer;
  fault = "spec.nodes.cel: " + answer.error().message;
  return std::nullopt;
}

NodeTaintRuleController::Target NodeTaintRuleController::TargetOf(Look& look) {
  Place& place = look.place;
  if (!place.is_selected) {
    place.is_missing = place.is_stale = false;
    place.value.reset();
    return {.kind = Target::Kind::None, .value = {}};
  }
  place.fault.clear();
  Target target = ReadSource(look);
  if (!look.rule.plan.sets_taints()) target = {.kind = Target::Kind::None, .value = {}};
  return target;
}

NodeTaintRuleController::Target NodeTaintRuleController::ReadSource(Look& look) {
  switch (look.rule.plan.source) {
    case RulePlan::Source::Constant:
      return ValueOrMissing(look, look.rule.plan.text, "spec.value.constant");
    case RulePlan::Source::Annotation:
      return ReadAnnotation(look);
    case RulePlan::Source::Expression:
      return ReadExpression(look);
    case RulePlan::Source::Prometheus:
      break;
  }
  return ReadMetric(look);
}

NodeTaintRuleController::Target NodeTaintRuleController::ReadAnnotation(Look& look) {
  const std::string& name = look.rule.plan.text;
  const auto text = look.node->metadata().annotations.Find(name);
  std::optional<std::string> value;
  if (text) value.emplace(*text);
  return ValueOrMissing(look, std::move(value), "annotation " + name);
}

NodeTaintRuleController::Target NodeTaintRuleController::ReadExpression(Look& look) {
  auto value = look.rule.plan.expression->TextOf(InputOf(look.node), spent_);
  if (!value) return Missing(look, "spec.value.expression: " + value.error().message);
  return ValueOrMissing(look, *std::move(value), "spec.value.expression");
}

NodeTaintRuleController::Target NodeTaintRuleController::ReadMetric(Look& look) {
  Rule& rule = look.rule;
  Place& place = look.place;
  if (!rule.has_answer && rule.failures == 0) return {};  // no query has finished
  const auto reading = rule.readings.find(look.node->metadata().name);
  if (reading == rule.readings.end()) {
    place.seen_at = rule.reads_since;
    return Missing(look, {});
  }
  place.seen_at = reading->second.at;
  const auto rounded = RoundedToStep(reading->second.number, rule.plan.step);
  if (!rounded) {
    return Missing(look, "the metric of this node is negative or has more than 15 digits");
  }
  if (rule.failures > 0 || reading->second.at != rule.last_success) return Missing(look, {});
  return ValueOrMissing(look, std::to_string(*rounded), {});
}

NodeTaintRuleController::Target NodeTaintRuleController::ValueOrMissing(
    Look& look, std::optional<std::string> value, std::string_view source) {
  Place& place = look.place;
  Target target{.kind = Target::Kind::None, .value = {}};
  if (value) {
    std::optional<std::string> rounded = TaintValueOf(*value, look.rule.plan.step);
    constexpr std::size_t kShownBytesMax = 100;
    if (!rounded) {
      return Missing(look, std::string(source) + ": \"" + value->substr(0, kShownBytesMax) +
                               "\" cannot be the value of a taint");
    }
    target = {.kind = Target::Kind::Value, .value = *rounded};
    value = std::move(rounded);
  }
  place.value = std::move(value);
  place.is_missing = place.is_stale = false;
  if (look.rule.plan.source != RulePlan::Source::Prometheus) place.seen_at = look.turn.now;
  return target;
}

NodeTaintRuleController::Target NodeTaintRuleController::Missing(Look& look, std::string fault) {
  Place& place = look.place;
  place.is_missing = true;
  place.fault = std::move(fault);
  if (!place.seen_at) place.seen_at = look.turn.now;
  const Instant stale_at = *place.seen_at + look.rule.plan.stale_after;
  place.is_stale = stale_at <= look.turn.now;
  if (place.is_stale) return StaleTarget(look);
  places_.AddAt(look.key(), stale_at);
  return {};
}

NodeTaintRuleController::Target NodeTaintRuleController::StaleTarget(Look& look) {
  const RulePlan& plan = look.rule.plan;
  look.place.value.reset();
  switch (plan.when_stale) {
    case RulePlan::WhenStale::Keep:
      break;
    case RulePlan::WhenStale::Remove:
      return {.kind = Target::Kind::None, .value = {}};
    case RulePlan::WhenStale::Value:
      if (IsSourceDead(look.rule, look.turn.now)) break;
      return {.kind = Target::Kind::Value, .value = plan.stale_value};
  }
  return {};
}

/// Returns true if the source as a whole fails: the last query did, or more than half of the
/// selected nodes have no value. Then the value for stale nodes would evict from most of them.
bool NodeTaintRuleController::IsSourceDead(Rule& rule, Instant now) {
  if (rule.failures > 0) return true;
  if (rule.is_dead_at == now) return rule.is_dead;
  std::size_t selected = 0;
  std::size_t missing = 0;
  for (const auto& [node, place] : rule.places) {
    if (!place.is_selected) continue;
    ++selected;
    if (rule.plan.source == RulePlan::Source::Prometheus) {
      const auto reading = rule.readings.find(node);
      missing += reading == rule.readings.end() || reading->second.at != rule.last_success;
    } else {
      missing += place.is_missing;
    }
  }
  rule.is_dead_at = now;
  rule.is_dead = missing * 2 > selected;
  return rule.is_dead;
}

void NodeTaintRuleController::Act(Look& look, const Target& target) {
  const RulePlan& plan = look.rule.plan;
  Place& place = look.place;
  if (place.is_writing || target.kind == Target::Kind::Keep) return;
  const std::optional<OwnedTaint>& own = look.own;
  if (target.kind == Target::Kind::None) {
    place.conflict.reset();
    if (!own) return;
    const bool is_urgent = !place.is_selected || !plan.sets_taints();
    if (MayWrite(look, is_urgent, false)) Write(look, std::nullopt);
    return;
  }
  if (!plan.has_finalizer) return;  // judged again when the rule has it
  const auto on_node = TaintOn(*look.node, plan.owner.key, plan.effect);
  const bool is_set =
      own && own->effect == plan.effect && (place.expected || (on_node && *on_node == own->value));
  if (is_set &&
      (own->value == target.value || IsSmallChange(own->value, target.value, plan.hysteresis))) {
    place.conflict.reset();
    return;
  }
  // A rival that is gone leaves the place to the rule.
  if (place.conflict && on_node && place.conflict->retry_at > look.turn.now) {
    return places_.AddAt(look.key(), place.conflict->retry_at);
  }
  if (!options_.owns_single_taints && !IsFreeFor(*look.node, plan.owner, plan.effect)) {
    return SetConflict(look, std::string(OtherOwnerOf(*look.node, plan.owner, plan.effect)));
  }
  const bool is_set_again = own && own->effect == plan.effect && !on_node && !place.expected;
  if (!MayWrite(look, false, is_set_again)) return;
  Write(look, OwnedTaint{target.value, plan.effect, look.turn.now});
}

/// Returns false if a limit of the rule holds the change back; the place is then judged later.
bool NodeTaintRuleController::MayWrite(Look& look, bool is_urgent, bool is_set_again) {
  if (is_urgent) return true;
  const RulePlan& plan = look.rule.plan;
  const Instant now = look.turn.now;
  Instant changed_at = look.place.written_at;
  // A time in the future is none of this controller.
  if (look.own && look.own->changed_at <= now) {
    changed_at = std::max(changed_at, look.own->changed_at);
  }
  const Duration wait =
      is_set_again ? std::max(plan.min_interval, kSetAgainAfter) : plan.min_interval;
  if (changed_at > Instant::min() && changed_at + wait > now) {
    places_.AddAt(look.key(), changed_at + wait);
    return false;
  }
  std::deque<Instant>& changes = look.rule.changes;
  while (!changes.empty() && changes.front() + kMinute <= now) changes.pop_front();
  if (!plan.changes_per_minute) return true;
  const auto max = static_cast<std::size_t>(*plan.changes_per_minute);
  if (changes.size() < max) return true;
  places_.AddAt(look.key(), changes[changes.size() - max] + kMinute);
  return false;
}

void NodeTaintRuleController::Write(Look& look, std::optional<OwnedTaint> taint) {
  const TaintOwner& owner = look.rule.plan.owner;
  // A record that another manager has written stays after an apply.
  PatchObject patch = !taint && look.place.removals > 0
                          ? RecordRemoval(look.node, owner)
                          : OwnedTaintPatch(look.node, owner, taint, options_.owns_single_taints);
  patch.id = ++last_id_;
  under_way_[patch.id] = TaintWrite{look.key()};
  look.place.is_writing = true;
  look.place.writing = std::move(taint);
  if (look.rule.plan.changes_per_minute) look.rule.changes.push_back(look.turn.now);
  look.turn.Do(std::move(patch));
}

void NodeTaintRuleController::FinishTaint(const PlaceKey& key, const Status& status,
                                          const Turn& turn) {
  Rule* const rule = FindRule(key.second);
  const auto node = nodes_.find(key.first);
  if (rule == nullptr || node == nodes_.end()) return;
  const auto at = rule->places.find(key.first);
  if (at == rule->places.end()) return;
  Place& place = at->second;
  place.is_writing = false;
  rule->is_status_dirty = true;
  tended_.Add(key.second);
  if (status) {
    place.removals = place.writing ? 0 : place.removals + 1;
    place.expected = std::exchange(place.writing, {});
    place.written_at = turn.now;
    place.conflict.reset();
    places_.Forget(key);
    places_.Add(key);
  } else if (status.error().HasCause(api::kFieldManagerConflict)) {
    Look look{*rule, node->second, place, std::nullopt, turn};
    SetConflict(look, Quoted(status.error().message));
  } else {
    places_.Retry(key, turn.now);
  }
}

void NodeTaintRuleController::SetConflict(Look& look, std::string manager) {
  const RulePlan& plan = look.rule.plan;
  std::optional<Conflict>& conflict = look.place.conflict;
  const Duration wait =
      conflict ? std::min(conflict->wait * 2, kConflictWait.max) : kConflictWait.min;
  constexpr std::size_t kManagerBytesMax = 128;
  manager.resize(std::min(manager.size(), kManagerBytesMax));
  conflict =
      Conflict{.manager = std::move(manager),
               .value = std::string(TaintOn(*look.node, plan.owner.key, plan.effect).value_or("")),
               .wait = wait,
               .retry_at = look.turn.now + wait};
  places_.AddAt(look.key(), conflict->retry_at);
}

}  // namespace plimsoll::controller
