#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "api/expression/node_expression.h"
#include "api/object.h"
#include "api/plimsoll/node_taint_rule.h"
#include "api/selector/selector.h"
#include "base/time.h"
#include "controller/node_taint_rule/owned_taint.h"

namespace plimsoll::controller {

/// Finalizer of a rule that has set taints: the controller removes them first.
inline constexpr std::string_view kRuleFinalizer = "plimsoll.io/node-taint-rule";

/// A NodeTaintRule in the form in which the controller uses it: checked, parsed, compiled and with
/// defaults. Owns its texts.
struct RulePlan {
  enum class Source : std::uint8_t { Constant, Annotation, Expression, Prometheus };
  enum class WhenStale : std::uint8_t { Keep, Remove, Value };

  /// Makes the plan of a rule. A rule that a server has stored without validation may be invalid;
  /// then `fault` says why, and only the members above it are set.
  static RulePlan Of(const api::Object& rule);

  TaintOwner owner;
  std::string effect;
  std::optional<Instant> expires;
  bool is_being_deleted = false;
  bool has_finalizer = false;
  std::int64_t generation = 0;

  std::string fault;

  // Selection.
  bool selects_none = true;
  api::Selector labels;
  std::set<std::string, std::less<>> names;  // empty: any
  std::optional<api::NodeExpression> selection;

  // Source.
  Source source = Source::Constant;
  std::string text;  // constant, or name of the annotation
  std::optional<api::NodeExpression> expression;
  api::QueryMetrics query;
  std::string node_label;
  Duration interval{};

  // Damping.
  std::int64_t step = 1;
  std::int64_t hysteresis = 0;
  Duration min_interval{};
  std::optional<std::int64_t> changes_per_minute;

  // Stale values.
  Duration stale_after = std::chrono::minutes(10);
  WhenStale when_stale = WhenStale::Keep;
  std::string stale_value;

  bool sets_taints() const { return effect != "None"; }
  bool reads_whole_node() const { return selection.has_value() || expression.has_value(); }
};

}  // namespace plimsoll::controller
