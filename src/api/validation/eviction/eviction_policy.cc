#include "api/plimsoll/eviction_policy.h"

#include <chrono>
#include <string>

#include "api/plimsoll/eviction_record.h"
#include "api/validation/conditions.h"
#include "api/validation/eviction/eviction_checks.h"
#include "api/validation/field_checks.h"
#include "api/validation/kind_checks.h"
#include "api/validation/labels.h"
#include "api/validation/seen_texts.h"
#include "api/validation/tree_reads.h"
#include "base/go_duration.h"
#include "base/syntax.h"
#include "codec/json.h"

namespace plimsoll::api {
namespace {

using codec::Value;
using std::chrono::hours;

constexpr FieldPath kSpec("spec");
constexpr FieldPath kStatus("status");

constexpr std::size_t kTaintKeysMax = 32;
constexpr std::int64_t kRateMax = 100'000;
constexpr std::size_t kBreakerScopesMax = 256;
constexpr std::size_t kBreakerCountsMax = 32;
constexpr std::size_t kHoldsMax = 32;
constexpr std::size_t kReservedMax = 1000;
constexpr std::size_t kEntriesMax = 2000;
constexpr std::size_t kEntryTextBytesMax = 1024;

/// A trailing `*` may replace the end of the key.
void CheckTaintKey(std::string_view key, const FieldPath& at, FieldErrors& errors) {
  const bool is_pattern = key.ends_with('*');
  const std::string_view prefix = is_pattern ? key.substr(0, key.size() - 1) : key;
  if (prefix.contains('*')) {
    return errors.Invalid(at, key, "`*` is allowed only at the end");
  }
  if (is_pattern && prefix.empty()) return;
  // A prefix is valid if any key can begin with it.
  AddFaults(at, key, CheckQualifiedName(is_pattern ? std::string(prefix) + "x" : prefix), errors);
}

void CheckSelector(const EvictionSelector& selector, const FieldPath& at, FieldErrors& errors) {
  const FieldPath keys_path = at / "taintKeys";
  CheckCountMax(selector.taint_keys.size(), kTaintKeysMax, keys_path, errors);
  SeenTexts seen;
  for (std::size_t i = 0; i < selector.taint_keys.size(); ++i) {
    const std::string_view key = selector.taint_keys[i];
    const FieldPath key_path = keys_path[i];
    CheckTaintKey(key, key_path, errors);
    if (!seen.Insert(key)) errors.Duplicate(key_path, BadValue::String(key));
  }
  const auto check = [&](const std::optional<LabelSelector>& labels, const FieldPath& here) {
    if (labels) ValidateLabelSelector(*labels, false, here, errors);
  };
  check(selector.namespaces, at / "namespaces");
  check(selector.pods, at / "pods");
  check(selector.nodes, at / "nodes");
}

void CheckRate(const EvictionRate& rate, const FieldPath& at, FieldErrors& errors) {
  const bool is_in_range = rate.per_second.Compare(Quantity::FromMilli(1)) >= 0 &&
                           rate.per_second.Compare(Quantity::FromInt(kRateMax)) <= 0;
  if (!is_in_range) {
    errors.Invalid(at / "perSecond", rate.per_second.Text(),
                   "must be between 1m (one in 1000 seconds) and 100000");
  }
  CheckRange(rate.burst, {1, kRateMax}, at / "burst", errors);
}

void CheckBreaker(const EvictionBreaker& breaker, const FieldPath& at, FieldErrors& errors) {
  CheckDuration(breaker.window, {std::chrono::seconds(1), hours(24)}, at / "window", errors);
  if (!breaker.max_pods && !breaker.max_percent) {
    errors.Required(at, "must set `maxPods`, `maxPercent` or both");
  }
  if (breaker.max_pods) {
    CheckRange(*breaker.max_pods, {1, std::numeric_limits<std::int32_t>::max()}, at / "maxPods",
               errors);
  }
  if (breaker.max_percent) CheckRange(*breaker.max_percent, {1, 100}, at / "maxPercent", errors);
  CheckOneOf(breaker.per, {"Cluster", "Namespace", "Zone"}, at / "per", errors);
}

void CheckMaxUnavailable(const Value& value, const FieldPath& at, FieldErrors& errors) {
  if (value.is_int()) return CheckNonNegative(value.AsInt(), at, errors);
  const std::string_view text = value.text();
  const Faults faults = CheckPercent(text);
  AddFaults(at, text, faults, errors);
  // CheckPercent accepts any number of digits.
  const std::string_view digits = text.substr(0, text.find('%'));
  const bool is_too_large = digits.size() > 3 || (digits.size() == 3 && digits > "100");
  if (faults.empty() && is_too_large) errors.Invalid(at, text, "must not be greater than 100%");
}

void CheckBreakerStates(std::span<const Value> breakers, FieldErrors& errors) {
  static constexpr FieldPath kBreakers = kStatus / "breakers";
  CheckCountMax(breakers.size(), kBreakerScopesMax, kBreakers, errors);
  SeenTexts seen;
  for (std::size_t i = 0; i < breakers.size(); ++i) {
    const FieldPath breaker_path = kBreakers[i];
    const std::string_view scope = TextOf(&breakers[i], "scope");
    if (!seen.Insert(scope)) {
      errors.Duplicate(breaker_path / "scope", BadValue::String(scope));
    }
    CheckCountMax(ItemsOf(&breakers[i], "counts").size(), kBreakerCountsMax,
                  breaker_path / "counts", errors);
    CheckNonNegative(IntOf(&breakers[i], "selected").value_or(0), breaker_path / "selected",
                     errors);
  }
}

void CheckEntry(const Value& entry, const FieldPath& at, FieldErrors& errors) {
  CheckRequiredOneOf(TextOf(&entry, "type"),
                     {"CountdownCancelled", "CountdownStarted", "Evicted", "HeldBack", "Lost",
                      "Replaced", "TaintAdded", "TaintChanged", "TaintRemoved"},
                     at / "type", errors);
  if (TextOf(&entry, "time").empty()) errors.Required(at / "time", "");
  for (const std::string_view field :
       {"manager", "message", "namespace", "node", "pod", "replacement", "rule", "taint", "uid",
        "valueBefore", "workload"}) {
    if (TextOf(&entry, field).size() > kEntryTextBytesMax) {
      errors.TooLong(at / field, kEntryTextBytesMax);
    }
  }
}

}  // namespace

void ValidateEvictionPolicy(const KindChange& change, FieldErrors& errors) {
  const EvictionPolicySpec& spec = change.now.As<EvictionPolicy>()->spec;
  if (spec.selector) CheckSelector(*spec.selector, kSpec / "selector", errors);
  const auto check = [&](std::string_view text, Duration max, const FieldPath& at) {
    if (!text.empty()) CheckDuration(text, {Duration::zero(), max}, at, errors);
  };
  check(spec.settle, hours(24), kSpec / "settle");
  if (spec.rate) CheckRate(*spec.rate, kSpec / "rate", errors);
  if (spec.max_unavailable != nullptr) {
    CheckMaxUnavailable(*spec.max_unavailable, kSpec / "maxUnavailable", errors);
  }
  if (spec.disruption_budgets) {
    static constexpr FieldPath kBudgets = kSpec / "disruptionBudgets";
    CheckOneOf(spec.disruption_budgets->mode, {"Ignore", "Respect"}, kBudgets / "mode", errors);
    check(spec.disruption_budgets->at_most, hours(7 * 24), kBudgets / "atMost");
  }
  if (spec.breaker) CheckBreaker(*spec.breaker, kSpec / "breaker", errors);
  check(spec.deadline, hours(7 * 24), kSpec / "deadline");
  CheckOneOf(spec.via, {"Delete", "Eviction", "EvictionRequest"}, kSpec / "via", errors);
}

void ValidateEvictionPolicyStatus(const KindChange& change, FieldErrors& errors) {
  const Value* const status = MemberOf(change.tree(), "status");
  CheckConditions(status, errors);
  CheckBreakerStates(ItemsOf(status, "breakers"), errors);
  CheckCountMax(ItemsOf(status, "heldBackBy").size(), kHoldsMax, kStatus / "heldBackBy", errors);
  CheckCountMax(ItemsOf(status, "reserved").size(), kReservedMax, kStatus / "reserved", errors);
  for (const std::string_view field : {"evicted", "heldBack", "waiting"}) {
    CheckNonNegative(IntOf(status, field).value_or(0), kStatus / field, errors);
  }
}

void ValidateEvictionRecord(const KindChange& change, FieldErrors& errors) {
  static constexpr FieldPath kEntries("entries");
  const std::span<const Value> entries = ItemsOf(change.tree(), "entries");
  // One error for a list that is too long, instead of thousands.
  if (entries.size() > kEntriesMax) return errors.TooMany(kEntries, entries.size(), kEntriesMax);
  for (std::size_t i = 0; i < entries.size(); ++i) CheckEntry(entries[i], kEntries[i], errors);
}

}  // namespace plimsoll::api
