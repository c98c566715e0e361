#include <algorithm>
#include <array>
#include <string>

#include "api/validation/device/device_checks.h"
#include "api/validation/eviction/eviction_checks.h"
#include "api/validation/eviction/pod_responders.h"
#include "api/validation/field_checks.h"
#include "api/validation/kind_checks.h"
#include "api/validation/seen_texts.h"
#include "api/validation/tree_reads.h"
#include "base/syntax.h"

namespace plimsoll::api {
namespace {

using codec::Value;

constexpr FieldPath kSpec("spec");
constexpr FieldPath kStatus("status");
constexpr FieldPath kResponders = kStatus / "responders";
constexpr FieldPath kTargetResponders = kStatus / "targetResponders";

constexpr std::size_t kRequestersMax = 100;
/// Those of the pod, and the one that uses pods/eviction.
constexpr std::size_t kTargetRespondersMax = kEvictionRespondersMax + 1;
constexpr std::size_t kMessageCharactersMax = 4000;

constexpr std::string_view kInactive = "Inactive";
constexpr std::string_view kActive = "Active";

/// Returns the item of a list with this name, or null.
const Value* FindNamed(std::span<const Value> items, std::string_view name) {
  const auto found =
      std::ranges::find_if(items, [&](const Value& item) { return TextOf(&item, "name") == name; });
  return found == items.end() ? nullptr : &*found;
}

std::size_t CharactersIn(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

void CheckTarget(const KindChange& change, FieldErrors& errors) {
  static constexpr FieldPath kTarget = kSpec / "target";
  static constexpr FieldPath kPod = kTarget / "pod";
  const Value* const target = MemberOf(MemberOf(change.tree(), "spec"), "target");
  const Value* const pod = MemberOf(target, "pod");
  if (pod == nullptr) return errors.Required(kPod, "must specify one of: `pod`");
  for (const std::string_view field : {"name", "uid"}) {
    const FieldPath at = kPod / field;
    const std::string_view text = TextOf(pod, field);
    if (text.empty()) {
      errors.Required(at, "");
    } else {
      AddFaults(at, text, CheckDns1123Subdomain(text), errors);
    }
  }
  if (change.before == nullptr) return;
  const Value* const before = MemberOf(MemberOf(change.old_tree(), "spec"), "target");
  if (!SameMeaning(target, before)) errors.Forbidden(kTarget, "field is immutable");
}

void CheckRequesters(const Value* status, FieldErrors& errors) {
  static constexpr FieldPath kRequesters = kStatus / "requesters";
  const std::span<const Value> requesters = ItemsOf(status, "requesters");
  CheckCountMax(requesters.size(), kRequestersMax, kRequesters, errors);
  if (requesters.size() > kRequestersMax) return;
  SeenTexts seen;
  for (std::size_t i = 0; i < requesters.size(); ++i) {
    const FieldPath at = kRequesters[i];
    const std::string_view name = TextOf(&requesters[i], "name");
    CheckDomainKey(name, at / "name", errors);
    if (!seen.Insert(name)) errors.Duplicate(at / "name", BadValue::String(name));
    CheckRequiredOneOf(TextOf(&requesters[i], "intent"), {"Eviction", "Withdrawn"}, at / "intent",
                       errors);
  }
}

/// A state never goes back.
void CheckStateChange(std::string_view now, std::string_view before, const FieldPath& at,
                      FieldErrors& errors) {
  const bool was_final = before != kInactive && before != kActive && !before.empty();
  const bool goes_back = before == kActive && now == kInactive;
  if (now == before || (!was_final && !goes_back)) return;
  errors.Invalid(at, BadValue::TypedString(now),
                 "must not change from " + std::string(before) + " to " + std::string(now));
}

void CheckTargetResponders(const Value* status, const Value* before, FieldErrors& errors) {
  const std::span<const Value> responders = ItemsOf(status, "targetResponders");
  const std::span<const Value> known = ItemsOf(before, "targetResponders");
  CheckCountMax(responders.size(), kTargetRespondersMax, kTargetResponders, errors);
  if (responders.size() > kTargetRespondersMax) return;
  SeenTexts seen;
  std::size_t active = 0;
  bool is_same_list = known.empty() || known.size() == responders.size();
  for (std::size_t i = 0; i < responders.size(); ++i) {
    const FieldPath at = kTargetResponders[i];
    const std::string_view name = TextOf(&responders[i], "name");
    const std::string_view state = TextOf(&responders[i], "state");
    CheckDomainKey(name, at / "name", errors);
    if (!seen.Insert(name)) errors.Duplicate(at / "name", BadValue::String(name));
    CheckRange(IntOf(&responders[i], "priority").value_or(0), {0, kResponderPriorityMax},
               at / "priority", errors);
    CheckRequiredOneOf(state, {"Active", "Canceled", "Completed", "Inactive", "Interrupted"},
                       at / "state", errors);
    if (state == kActive) ++active;
    const Value* const then = FindNamed(known, name);
    is_same_list = is_same_list && (known.empty() || then != nullptr);
    if (then != nullptr) CheckStateChange(state, TextOf(then, "state"), at / "state", errors);
  }
  if (!is_same_list) {
    errors.Forbidden(kTargetResponders, "items may not be added or removed once set");
  }
  if (active > 1) errors.Forbidden(kTargetResponders, "at most one responder may be Active");
}

/// Returns true if the responder may report: it is or was Active.
bool MayReport(const Value* status, const Value* before, std::string_view name) {
  return std::ranges::any_of(std::array{status, before}, [&](const Value* each) {
    return TextOf(FindNamed(ItemsOf(each, "targetResponders"), name), "state") == kActive;
  });
}

void CheckReport(const Value& report, const Value* before, const FieldPath& at,
                 FieldErrors& errors) {
  if (CharactersIn(TextOf(&report, "message")) > kMessageCharactersMax) {
    errors.Invalid(at / "message", BadValue::None(), "must have at most 4000 characters");
  }
  const auto check_kept = [&](std::string_view field) {
    const std::string_view then = TextOf(before, field);
    if (!then.empty() && then != TextOf(&report, field)) {
      errors.Forbidden(at / field, "field is immutable once set");
    }
  };
  check_kept("completionTime");
  check_kept("startTime");
}

void CheckReports(const Value* status, const Value* before, FieldErrors& errors) {
  const std::span<const Value> reports = ItemsOf(status, "responders");
  const std::span<const Value> known = ItemsOf(before, "responders");
  CheckCountMax(reports.size(), kTargetRespondersMax, kResponders, errors);
  if (reports.size() > kTargetRespondersMax) return;
  SeenTexts seen;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const FieldPath at = kResponders[i];
    const std::string_view name = TextOf(&reports[i], "name");
    if (!seen.Insert(name)) errors.Duplicate(at / "name", BadValue::String(name));
    if (FindNamed(ItemsOf(status, "targetResponders"), name) == nullptr) {
      errors.Invalid(at / "name", name, "must be the name of an item of `status.targetResponders`");
      continue;
    }
    const Value* const then = FindNamed(known, name);
    CheckReport(reports[i], then, at, errors);
    const bool is_changed = then == nullptr ? !known.empty() : !SameMeaning(&reports[i], then);
    if (is_changed && !MayReport(status, before, name)) {
      errors.Forbidden(at, "only the report of an Active responder may change");
    }
  }
  for (const Value& report : known) {
    const std::string_view name = TextOf(&report, "name");
    if (!seen.Has(name)) {
      errors.Forbidden(kResponders, "report of " + std::string(name) + " may not be removed");
    }
  }
}

void CheckObservedGeneration(const Value* status, const Value* before, FieldErrors& errors) {
  const std::int64_t now = IntOf(status, "observedGeneration").value_or(0);
  const std::int64_t then = IntOf(before, "observedGeneration").value_or(0);
  if (now >= then) return;
  errors.Invalid(kStatus / "observedGeneration", BadValue::Int(now),
                 "must be greater than or equal to " + std::to_string(then));
}

}  // namespace

void ValidateEvictionRequest(const KindChange& change, FieldErrors& errors) {
  CheckTarget(change, errors);
  const Value* const spec = MemberOf(change.tree(), "spec");
  const std::string_view requester = TextOf(spec, "requester");
  CheckDomainKey(requester, kSpec / "requester", errors);
  CheckRequiredOneOf(TextOf(spec, "intent"), {"Eviction", "Withdrawn"}, kSpec / "intent", errors);
  if (change.before != nullptr &&
      requester != TextOf(MemberOf(change.old_tree(), "spec"), "requester")) {
    errors.Forbidden(kSpec / "requester", "field is immutable");
  }
}

void ValidateEvictionRequestStatus(const KindChange& change, FieldErrors& errors) {
  const Value* const status = MemberOf(change.tree(), "status");
  CheckConditions(status, errors);
  CheckObservedGeneration(status, MemberOf(change.old_tree(), "status"), errors);
}

void ValidateEviction(const KindChange& change, FieldErrors& errors) {
  CheckTarget(change, errors);
}

void ValidateEvictionStatus(const KindChange& change, FieldErrors& errors) {
  const Value* const status = MemberOf(change.tree(), "status");
  const Value* const before = MemberOf(change.old_tree(), "status");
  CheckConditions(status, errors);
  CheckObservedGeneration(status, before, errors);
  CheckRequesters(status, errors);
  CheckTargetResponders(status, before, errors);
  CheckReports(status, before, errors);
}

}  // namespace plimsoll::api
