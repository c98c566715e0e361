#include "controller/node_taint_rule/rule_plan.h"

#include <algorithm>
#include <utility>

#include "api/validation/kind_checks.h"
#include "base/go_duration.h"
#include "base/text/base64.h"

namespace plimsoll::controller {
namespace {

using Gives = api::NodeExpression::Gives;

Duration DurationOr(std::string_view text, Duration otherwise) {
  return ParseGoDuration(text).value_or(otherwise);
}

void SetSelection(const std::optional<api::NodeTaintRuleNodes>& nodes, RulePlan& plan) {
  if (!nodes) return;
  plan.selects_none = false;
  auto labels = api::Selector::FromObject(&*nodes);
  if (!labels) {
    plan.fault = "spec.nodes: " + labels.error().message;
    return;
  }
  plan.labels = *std::move(labels);
  plan.names.insert(nodes->names.begin(), nodes->names.end());
  if (nodes->cel.empty()) return;
  auto compiled = api::NodeExpression::Compile(nodes->cel, Gives::Bool);
  if (compiled) {
    plan.selection = *std::move(compiled);
  } else {
    plan.fault = "spec.nodes.cel: " + compiled.error().message;
  }
}

void SetPrometheus(const api::NodeTaintPrometheus& source, RulePlan& plan) {
  plan.source = RulePlan::Source::Prometheus;
  plan.query.server = source.server;
  plan.query.query = source.query;
  plan.query.timeout = DurationOr(source.timeout, std::chrono::seconds(10));
  if (auto pem = DecodeBase64(source.ca_bundle)) plan.query.ca_pem = *std::move(pem);
  if (const auto& token = source.bearer_token) {
    plan.query.token = {std::string(token->namespace_), std::string(token->name),
                        std::string(token->key)};
  }
  plan.node_label = source.node_label.empty() ? "node" : source.node_label;
  plan.interval = DurationOr(source.interval, std::chrono::seconds(30));
}

void SetSource(const api::NodeTaintValue& value, RulePlan& plan) {
  if (value.prometheus) return SetPrometheus(*value.prometheus, plan);
  if (value.constant) {
    plan.text = *value.constant;
  } else if (!value.annotation.empty()) {
    plan.source = RulePlan::Source::Annotation;
    plan.text = value.annotation;
  } else {
    plan.source = RulePlan::Source::Expression;
    auto compiled = api::NodeExpression::Compile(value.expression, Gives::Text);
    if (compiled) {
      plan.expression = *std::move(compiled);
    } else {
      plan.fault = "spec.value.expression: " + compiled.error().message;
    }
  }
}

void SetStale(const api::NodeTaintStale& stale, RulePlan& plan) {
  plan.stale_after = DurationOr(stale.after, plan.stale_after);
  plan.stale_value = stale.value;
  if (stale.then == "Remove") plan.when_stale = RulePlan::WhenStale::Remove;
  if (stale.then == "Value") plan.when_stale = RulePlan::WhenStale::Value;
}

/// Returns the rule's first validation error, or "". Defaults of the server may be missing.
std::string FaultOf(const api::Object& rule) {
  const api::ValidationContext context;
  api::FieldErrors errors;
  api::ValidateNodeTaintRule({.now = rule, .before = nullptr, .context = context}, errors);
  for (const api::FieldError& error : errors.list()) {
    const bool is_default =
        error.field == "spec.step" && rule.As<api::NodeTaintRule>()->spec.step == 0;
    if (!is_default) return error.Text();
  }
  return {};
}

}  // namespace

RulePlan RulePlan::Of(const api::Object& rule) {
  const api::NodeTaintRule& view = *rule.As<api::NodeTaintRule>();
  const api::NodeTaintRuleSpec& spec = view.spec;
  RulePlan plan;
  plan.owner = {.rule = std::string(view.metadata.name), .key = std::string(spec.taint.key)};
  plan.effect = spec.taint.effect;
  if (const Result<Instant> expires = ParseTime(spec.expires)) plan.expires = *expires;
  plan.is_being_deleted = !view.metadata.deletion_timestamp.empty();
  plan.has_finalizer =
      std::ranges::find(view.metadata.finalizers, kRuleFinalizer) != view.metadata.finalizers.end();
  plan.generation = view.metadata.generation.value_or(0);
  plan.fault = FaultOf(rule);
  if (!plan.fault.empty()) return plan;
  SetSelection(spec.nodes, plan);
  SetSource(spec.value, plan);
  plan.step = std::max<std::int64_t>(1, spec.step);
  plan.hysteresis = spec.hysteresis;
  plan.min_interval = DurationOr(spec.min_interval, Duration::zero());
  if (spec.max_changes_per_minute) plan.changes_per_minute = *spec.max_changes_per_minute;
  if (spec.stale) SetStale(*spec.stale, plan);
  return plan;
}

}  // namespace plimsoll::controller
