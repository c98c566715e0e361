#include <chrono>
#include <optional>
#include <string>

#include "api/field_error.h"
#include "api/validation/eviction/eviction_checks.h"
#include "apiserver/strategy/kinds.h"
#include "base/time_arithmetic.h"

namespace plimsoll::apiserver::kinds {
namespace {

using codec::Value;

constexpr Duration kHeartbeatIntervalMin = std::chrono::seconds(20);
/// Tolerated difference between the clocks of a responder and of the server.
constexpr Duration kClockSkewMax = std::chrono::seconds(10);

std::optional<Instant> TimeOf(const Value* report, std::string_view field) {
  const std::string_view text = report == nullptr ? std::string_view() : TextAt(*report, field);
  if (text.empty()) return std::nullopt;
  const Result<Instant> time = ParseTime(text);
  return time ? std::optional(*time) : std::nullopt;
}

/// Returns the report of the responder in a status, or null.
const Value* ReportOf(const Value* status, std::string_view name) {
  const Value* const reports = status == nullptr ? nullptr : status->Find("responders");
  if (reports == nullptr) return nullptr;
  for (const Value& report : reports->items()) {
    if (TextAt(report, "name") == name) return &report;
  }
  return nullptr;
}

/// Checks a time that has changed. A heartbeat in the future would keep a dead responder active.
void CheckTimes(const Value& report, const Value* before, Instant now, const api::FieldPath& at,
                api::FieldErrors& errors) {
  const auto changed = [&](std::string_view field) {
    const std::optional<Instant> time = TimeOf(&report, field);
    return time && time != TimeOf(before, field) ? time : std::nullopt;
  };
  const auto check_not_ahead = [&](std::string_view field) {
    const std::optional<Instant> time = changed(field);
    if (!time || *time <= SaturatingAdd(now, kClockSkewMax)) return;
    errors.Invalid(at / field, TextAt(report, field), "must not be in the future");
  };
  for (const std::string_view field : {"startTime", "heartbeatTime", "completionTime"}) {
    check_not_ahead(field);
  }
  const std::optional<Instant> heartbeat = changed("heartbeatTime");
  const std::optional<Instant> last = TimeOf(before, "heartbeatTime");
  if (heartbeat && last && TimeBetween(*last, *heartbeat) < kHeartbeatIntervalMin) {
    errors.Invalid(at / "heartbeatTime", TextAt(report, "heartbeatTime"),
                   "must be at least 20s after the previous heartbeat");
  }
  const std::optional<Instant> expected = changed("expectedCompletionTime");
  if (expected && SaturatingAdd(*expected, kClockSkewMax) < now) {
    errors.Invalid(at / "expectedCompletionTime", TextAt(report, "expectedCompletionTime"),
                   "must not be in the past");
  }
}

}  // namespace

api::Answer<void> CreateEvictionRequest(const StrategyContext& context, ObjectEditor request) {
  const std::string_view requester = TextAt(request.value(), "spec", "requester");
  if (requester.contains('/') && api::HasReservedDomain(requester)) {
    context.warnings.push_back(
        "spec.requester: the domains *.k8s.io and *.kubernetes.io are "
        "reserved for components of Kubernetes");
  }
  return {};
}

api::Answer<void> UpdateEvictionStatus(const StrategyContext& context, ObjectEditor eviction,
                                       const Value& before) {
  static constexpr api::FieldPath kStatus("status");
  static constexpr api::FieldPath kResponders = kStatus / "responders";
  const Value* const status = eviction.Find("status");
  const Value* const reports = status == nullptr ? nullptr : status->Find("responders");
  if (reports == nullptr) return {};
  api::FieldErrors errors;
  const auto items = reports->items();
  // Validation rejects a longer list.
  for (std::size_t i = 0; i < items.size() && i <= 16; ++i) {
    CheckTimes(items[i], ReportOf(before.Find("status"), TextAt(items[i], "name")), context.now,
               kResponders[i], errors);
  }
  if (errors.empty()) return {};
  return std::unexpected(api::Invalid("lifecycle.k8s.io", "Eviction",
                                      TextAt(eviction.value(), "metadata", "name"), errors));
}

}  // namespace plimsoll::apiserver::kinds
