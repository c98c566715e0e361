#include "api/validation/eviction/eviction_checks.h"

#include <algorithm>
#include <array>
#include <string>

#include "api/validation/conditions.h"
#include "api/validation/field_checks.h"
#include "api/validation/tree_reads.h"
#include "base/go_duration.h"
#include "base/syntax.h"

namespace plimsoll::api {
namespace {

constexpr std::size_t kConditionsMax = 100;

/// Returns a duration of whole seconds in its largest unit: `24h`.
std::string Shown(Duration duration) {
  const std::int64_t seconds = std::chrono::floor<std::chrono::seconds>(duration).count();
  if (seconds != 0 && seconds % 3600 == 0) return std::to_string(seconds / 3600) + "h";
  if (seconds != 0 && seconds % 60 == 0) return std::to_string(seconds / 60) + "m";
  return std::to_string(seconds) + "s";
}

}  // namespace

void CheckDuration(std::string_view text, const DurationRange& range, const FieldPath& at,
                   FieldErrors& errors) {
  const std::optional<Duration> duration = ParseGoDuration(text);
  if (!duration) return errors.Invalid(at, text, "must be a duration such as 30s or 1h30m");
  if (*duration >= range.min && *duration <= range.max) return;
  errors.Invalid(
      at, text, "must be between " + Shown(range.min) + " and " + Shown(range.max) + ", inclusive");
}

void CheckRange(std::int64_t value, const IntRange& range, const FieldPath& at,
                FieldErrors& errors) {
  if (value >= range.min && value <= range.max) return;
  errors.Invalid(at, BadValue::Int(value),
                 "must be between " + std::to_string(range.min) + " and " +
                     std::to_string(range.max) + ", inclusive");
}

void CheckCountMax(std::size_t count, std::size_t count_max, const FieldPath& at,
                   FieldErrors& errors) {
  if (count > count_max) errors.TooMany(at, count, count_max);
}

void CheckConditions(const codec::Value* status, FieldErrors& errors) {
  static constexpr FieldPath kStatus("status");
  static constexpr FieldPath kConditions = kStatus / "conditions";
  const auto conditions = ItemsOf(status, "conditions");
  CheckCountMax(conditions.size(), kConditionsMax, kConditions, errors);
  if (conditions.size() <= kConditionsMax) ValidateConditions(conditions, kConditions, errors);
}

bool CheckDomainKey(std::string_view key, const FieldPath& at, FieldErrors& errors) {
  if (key.empty()) {
    errors.Required(at, "");
    return false;
  }
  const Faults faults = CheckQualifiedName(key);
  AddFaults(at, key, faults, errors);
  if (!faults.empty()) return false;
  if (key.contains('/')) return true;
  errors.Invalid(at, key, "must be a domain-prefixed key (such as \"acme.io/foo\")");
  return false;
}

bool HasReservedDomain(std::string_view key) {
  const std::string_view domain = key.substr(0, key.find('/'));
  static constexpr std::array<std::string_view, 2> kReserved = {"k8s.io", "kubernetes.io"};
  return std::ranges::any_of(kReserved, [&](std::string_view reserved) {
    return domain == reserved ||
           (domain.ends_with(reserved) && domain[domain.size() - reserved.size() - 1] == '.');
  });
}

}  // namespace plimsoll::api
