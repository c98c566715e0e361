#include "cli/preview/policy_forecast.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <set>
#include <utility>

#include "api/core/node.h"
#include "api/plimsoll/eviction_policy.h"
#include "api/selector/selector.h"
#include "base/go_duration.h"
#include "base/time_arithmetic.h"

namespace plimsoll::cli {
namespace {

constexpr std::string_view kZoneLabel = "topology.kubernetes.io/zone";

Duration DurationOr(std::string_view text, Duration otherwise) {
  const auto parsed = ParseGoDuration(text);
  return text.empty() || !parsed ? otherwise : *parsed;
}

/// Matches `pattern`, whose trailing * matches any suffix.
bool MatchesKey(std::string_view pattern, std::string_view key) {
  if (!pattern.ends_with('*')) return pattern == key;
  return key.starts_with(pattern.substr(0, pattern.size() - 1));
}

/// An unset or invalid selector: everything, nothing.
api::Selector SelectorOf(const std::optional<api::LabelSelector>& labels) {
  if (!labels) return api::Selector::Everything();
  auto parsed = api::Selector::FromObject(&*labels);
  return parsed ? *std::move(parsed) : api::Selector::Nothing();
}

using Labels = std::map<std::string_view, const api::StringMap*>;

/// Labels of namespaces and nodes by name.
struct KnownLabels {
  Labels namespaces;
  Labels nodes;
};

const api::StringMap& LabelsOf(const Labels& known, std::string_view name) {
  static const api::StringMap kNone;
  const auto found = known.find(name);
  return found == known.end() ? kNone : *found->second;
}

/// The limits of one policy, and what they have let through.
class PolicyLimits {
 public:
  PolicyLimits(const ObjectPtr& object, const PolicyContext& context, const KnownLabels& labels)
      : object_(object), now_(context.now), labels_(labels) {
    const api::EvictionPolicySpec& its = spec();
    if (its.selector) {
      namespaces_ = SelectorOf(its.selector->namespaces);
      nodes_ = SelectorOf(its.selector->nodes);
      pods_ = SelectorOf(its.selector->pods);
      has_key_ = its.selector->taint_keys.empty() ||
                 std::ranges::any_of(its.selector->taint_keys, [&](std::string_view pattern) {
                   return std::ranges::any_of(context.taint_keys, [&](const std::string& key) {
                     return MatchesKey(pattern, key);
                   });
                 });
    }
    const auto full = ParseTime(policy().status.rate_full_at);
    full_at_ = full ? *full : context.now;
    for (const api::EvictionBreakerState& state : policy().status.breakers) {
      const auto tripped = ParseTime(state.tripped_at);
      const auto resumed = ParseTime(its.resumed_at);
      if (tripped && (!resumed || *tripped > *resumed)) tripped_.insert(std::string(state.scope));
    }
    if (its.breaker && its.breaker->max_percent) CountSelected(context.objects);
  }

  std::string name() const { return std::string(object_->metadata().name); }
  bool has_key() const { return has_key_; }
  bool RespectsBudgets() const {
    return spec().disruption_budgets && spec().disruption_budgets->mode == "Respect";
  }

  bool Selects(const api::Object& pod) const {
    return has_key_ && pods_.Matches(pod.metadata().labels) &&
           namespaces_.Matches(LabelsOf(labels_.namespaces, pod.metadata().namespace_)) &&
           nodes_.Matches(LabelsOf(labels_.nodes, pod.As<api::Pod>()->spec.node_name));
  }

  /// Returns the time from which on no limit holds a pod back.
  Instant deadline() const {
    const Duration time = DurationOr(spec().deadline, Duration::max());
    return time == Duration::max() ? Instant::max() : SaturatingAdd(now_, time);
  }

  /// Returns the earliest time at or after `due`, or the limit that holds the pod for ever.
  std::pair<Instant, std::string_view> Earliest(const Departure& departure) const {
    if (spec().paused) return {Instant::max(), "Paused"};
    if (IsTripped(departure)) return {Instant::max(), "Breaker"};
    const Instant due = SaturatingAdd(departure.at, DurationOr(spec().settle, Duration::zero()));
    if (!spec().rate) return {due, ""};
    const Duration interval = Interval();
    if (interval == Duration::max()) return {Instant::max(), "Rate"};
    return {std::max(due, full_at_ - interval * (std::max(spec().rate->burst, 1) - 1)), ""};
  }

  /// Takes a token and counts the eviction at that time.
  void Take(const Departure& departure, Instant at) {
    if (spec().rate && Interval() != Duration::max()) {
      full_at_ = std::max(full_at_, at) + Interval();
    }
    if (!spec().breaker) return;
    std::deque<Instant>& window = windows_[ScopeOf(departure)];
    const Duration length = DurationOr(spec().breaker->window, std::chrono::minutes(5));
    while (!window.empty() && window.front() + length <= at) window.pop_front();
    window.push_back(at);
  }

 private:
  const api::EvictionPolicy& policy() const { return *object_->As<api::EvictionPolicy>(); }
  const api::EvictionPolicySpec& spec() const { return policy().spec; }

  Duration Interval() const {
    const double per_second = spec().rate->per_second.AsApproximateDouble();
    if (per_second <= 0) return Duration::max();
    return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(1 / per_second));
  }

  std::string ScopeOf(const Departure& departure) const { return ScopeOf(*departure.pod); }
  std::string ScopeOf(const api::Object& pod) const {
    const std::string_view per = spec().breaker->per;
    if (per == "Namespace") return std::string(pod.metadata().namespace_);
    if (per != "Zone") return {};
    const api::StringMap& labels = LabelsOf(labels_.nodes, pod.As<api::Pod>()->spec.node_name);
    return std::string(labels.Find(kZoneLabel).value_or(""));
  }

  void CountSelected(std::span<const ObjectPtr> objects) {
    for (const ObjectPtr& object : objects) {
      if (object->As<api::Pod>() != nullptr && Selects(*object)) ++selected_[ScopeOf(*object)];
    }
  }

  bool IsTripped(const Departure& departure) const {
    if (!spec().breaker) return false;
    const std::string scope = ScopeOf(departure);
    if (tripped_.contains(scope)) return true;
    const auto window = windows_.find(scope);
    const std::size_t count = window == windows_.end() ? 0 : window->second.size();
    if (count >= static_cast<std::size_t>(
                     spec().breaker->max_pods.value_or(std::numeric_limits<std::int32_t>::max()))) {
      return true;
    }
    if (!spec().breaker->max_percent) return false;
    const auto selected = selected_.find(scope);
    const std::size_t all = selected == selected_.end() ? 0 : selected->second;
    return (count + 1) * 100 >
           all * static_cast<std::size_t>(std::max(*spec().breaker->max_percent, 0));
  }

  const ObjectPtr object_;
  const Instant now_;
  const KnownLabels& labels_;
  api::Selector namespaces_ = api::Selector::Everything();
  api::Selector nodes_ = api::Selector::Everything();
  api::Selector pods_ = api::Selector::Everything();
  bool has_key_ = true;
  Instant full_at_;                // time at which the burst is complete again
  std::set<std::string> tripped_;  // scopes
  std::map<std::string, std::size_t> selected_;
  std::map<std::string, std::deque<Instant>> windows_;
};

KnownLabels ReadLabels(std::span<const ObjectPtr> objects) {
  KnownLabels labels;
  for (const ObjectPtr& object : objects) {
    if (object->kind().kind == "Namespace") {
      labels.namespaces[object->metadata().name] = &object->metadata().labels;
    } else if (object->As<api::Node>() != nullptr) {
      labels.nodes[object->metadata().name] = &object->metadata().labels;
    }
  }
  return labels;
}

std::vector<PolicyLimits> LimitsOf(const PolicyContext& context, const KnownLabels& labels) {
  std::vector<PolicyLimits> limits;
  for (const ObjectPtr& policy : context.policies) {
    if (policy->As<api::EvictionPolicy>() == nullptr) continue;
    limits.emplace_back(policy, context, labels);
  }
  return limits;
}

}  // namespace

PolicyForecast ForecastPolicies(std::span<const Departure> departures,
                                const PolicyContext& context) {
  const KnownLabels labels = ReadLabels(context.objects);
  std::vector<PolicyLimits> limits = LimitsOf(context, labels);
  PolicyForecast forecast;
  std::vector<bool> is_used(limits.size());
  for (const Departure& departure : departures) {
    Instant at = departure.at;
    Instant deadline = Instant::max();
    std::string_view held;
    for (std::size_t i = 0; i < limits.size(); ++i) {
      if (!limits[i].Selects(*departure.pod)) continue;
      is_used[i] = true;
      const auto [earliest, limit] = limits[i].Earliest(departure);
      if (!limit.empty() && held.empty()) held = limit;
      at = std::max(at, earliest);
      deadline = std::min(deadline, limits[i].deadline());
    }
    at = std::max(departure.at, std::min(at, deadline));
    if (at == Instant::max()) {
      ++forecast.held[std::string(held)];
      continue;
    }
    for (std::size_t i = 0; i < limits.size(); ++i) {
      if (limits[i].Selects(*departure.pod)) limits[i].Take(departure, at);
    }
    forecast.end = std::max(forecast.end.value_or(at), at);
  }
  for (std::size_t i = 0; i < limits.size(); ++i) {
    if (is_used[i]) forecast.policies.push_back(limits[i].name());
  }
  return forecast;
}

std::vector<std::string> PoliciesRespectingBudgets(const PolicyContext& context) {
  const KnownLabels labels = ReadLabels(context.objects);
  std::vector<std::string> names;
  for (const PolicyLimits& limits : LimitsOf(context, labels)) {
    if (limits.has_key() && limits.RespectsBudgets()) names.push_back(limits.name());
  }
  return names;
}

}  // namespace plimsoll::cli
