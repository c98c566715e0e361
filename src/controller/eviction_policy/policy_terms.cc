#include "controller/eviction_policy/policy_terms.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "base/go_duration.h"
#include "base/go_text.h"
#include "codec/value.h"

namespace plimsoll::controller {
namespace {

using namespace std::chrono_literals;

constexpr Duration kWindowMin = 1s;
constexpr Duration kWindowMax = 24h;
constexpr double kRateMin = 1e-6;
constexpr double kRateMax = 1e6;

/// Reads the fields of one specification and remembers the first fault.
class Reader {
 public:
  explicit Reader(PolicyTerms& out) : out_(out) {}

  void Fault(std::string_view field, std::string_view text) {
    if (out_.fault.empty()) out_.fault = "spec." + std::string(field) + ": " + std::string(text);
  }
  std::optional<Duration> Time(std::string_view field, std::string_view text) {
    if (text.empty()) return std::nullopt;
    const std::optional<Duration> time = ParseGoDuration(text);
    if (time && *time >= Duration::zero()) return time;
    Fault(field, "want a duration such as 30s");
    return std::nullopt;
  }
  api::Selector Select(std::string_view field, const std::optional<api::LabelSelector>& selector) {
    if (!selector) return api::Selector::Everything();
    auto made = api::Selector::FromObject(&*selector);
    if (made) return *std::move(made);
    Fault(field, made.error().message);
    return api::Selector::Nothing();
  }
  std::optional<Amount> Number(std::string_view field, const codec::Value* value) {
    if (value == nullptr || value->is_null()) return std::nullopt;
    if (value->is_int() && value->AsInt() >= 0) return Amount{value->AsInt(), false};
    if (value->is_string() && value->text().ends_with('%')) {
      const auto percent = GoParseInt(value->text().substr(0, value->text().size() - 1));
      if (percent && *percent >= 0 && *percent <= 100) return Amount{*percent, true};
    }
    Fault(field, "want a number, or a percentage such as 5%");
    return std::nullopt;
  }
  std::optional<PolicyTerms::Rate> Pace(const api::EvictionRate& rate) {
    const double per_second = rate.per_second.AsApproximateDouble();
    if (!(per_second >= kRateMin && per_second <= kRateMax)) {
      Fault("rate.perSecond", "want a number from 1u to 1M");
      return std::nullopt;
    }
    const auto interval = Duration(static_cast<std::int64_t>(std::ceil(1e9 / per_second)));
    return PolicyTerms::Rate{interval, std::max<std::int64_t>(rate.burst, 1)};
  }
  std::optional<PolicyTerms::Breaker> Break(const api::EvictionBreaker& breaker) {
    const std::optional<Duration> window = Time("breaker.window", breaker.window);
    if (!window || *window < kWindowMin || *window > kWindowMax) {
      Fault("breaker.window", "want a duration from 1s to 24h");
      return std::nullopt;
    }
    PolicyTerms::Breaker read{.window = *window, .max_pods = {}, .max_percent = {}};
    if (breaker.max_pods) read.max_pods = std::max<std::int64_t>(*breaker.max_pods, 0);
    if (breaker.max_percent) read.max_percent = std::max<std::int64_t>(*breaker.max_percent, 0);
    if (breaker.per == "Namespace") {
      read.per = BreakerScope::Namespace;
    } else if (breaker.per == "Zone") {
      read.per = BreakerScope::Zone;
    } else if (!breaker.per.empty() && breaker.per != "Cluster") {
      Fault("breaker.per", "want Cluster, Zone or Namespace");
    }
    return read;
  }
  EvictionVia Means(std::string_view via) {
    if (via == "Eviction") return EvictionVia::Eviction;
    if (via == "EvictionRequest") return EvictionVia::EvictionRequest;
    if (!via.empty() && via != "Delete") Fault("via", "want Delete, Eviction or EvictionRequest");
    return EvictionVia::Delete;
  }

 private:
  PolicyTerms& out_;
};

}  // namespace

std::string_view ToText(HoldReason reason) {
  static constexpr std::array<std::string_view, kHoldReasons> kTexts = {
      "Settle", "Paused", "Breaker", "Budget", "MaxUnavailable", "Rate"};
  return kTexts[static_cast<std::size_t>(reason)];
}

std::int64_t Amount::Of(std::int64_t total) const {
  return is_percent ? (value * std::max<std::int64_t>(total, 0) + 99) / 100 : value;
}

bool PolicyTerms::MatchesTaint(std::string_view key) const {
  if (taint_keys.empty()) return true;
  return std::ranges::any_of(taint_keys, [&](std::string_view wanted) {
    if (!wanted.ends_with('*')) return wanted == key;
    wanted.remove_suffix(1);
    return key.starts_with(wanted);
  });
}

PolicyTerms ReadTerms(const api::EvictionPolicySpec& spec) {
  PolicyTerms terms;
  Reader reader(terms);
  if (spec.selector) {
    for (const std::string_view key : spec.selector->taint_keys) terms.taint_keys.emplace_back(key);
    terms.pods = reader.Select("selector.pods", spec.selector->pods);
    terms.namespaces = reader.Select("selector.namespaces", spec.selector->namespaces);
    terms.nodes = reader.Select("selector.nodes", spec.selector->nodes);
  }
  terms.settle = reader.Time("settle", spec.settle).value_or(Duration::zero());
  if (spec.rate) terms.rate = reader.Pace(*spec.rate);
  terms.max_unavailable = reader.Number("maxUnavailable", spec.max_unavailable);
  if (spec.disruption_budgets && spec.disruption_budgets->mode == "Respect") {
    terms.budgets = reader.Time("disruptionBudgets.atMost", spec.disruption_budgets->at_most)
                        .value_or(Duration::max());
  }
  if (spec.breaker) terms.breaker = reader.Break(*spec.breaker);
  terms.deadline = reader.Time("deadline", spec.deadline);
  if (const auto time = ParseTime(spec.resumed_at)) terms.resumed_at = *time;
  terms.via = reader.Means(spec.via);
  terms.is_paused = spec.paused || !terms.fault.empty();
  return terms;
}

}  // namespace plimsoll::controller
