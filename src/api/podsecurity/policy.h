#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/field_error.h"
#include "api/meta/string_map.h"
#include "base/result.h"

/// The Pod Security Standards: level and version that a namespace's labels request.
namespace plimsoll::api {

/// From the least to the most strict.
enum class PodSecurityLevel : std::uint8_t { Privileged, Baseline, Restricted };

std::string_view PodSecurityLevelName(PodSecurityLevel level);

/// The minor version of Kubernetes whose rules apply, or the latest.
struct PodSecurityVersion {
  std::optional<std::int64_t> minor;  // nothing: latest

  /// `latest` or `v1.37`
  std::string Text() const;
  friend bool operator==(const PodSecurityVersion&, const PodSecurityVersion&) = default;
};

/// The newest version whose rules are known. Later versions have the same rules.
inline constexpr std::int64_t kPodSecurityNewestMinor = 37;

struct LevelVersion {
  PodSecurityLevel level = PodSecurityLevel::Privileged;
  PodSecurityVersion version;

  /// `restricted:latest`
  std::string Text() const;
  friend bool operator==(const LevelVersion&, const LevelVersion&) = default;
};

/// Levels and versions for the pods of a namespace, by mode.
struct PodSecurityPolicy {
  LevelVersion enforce;
  LevelVersion audit;
  LevelVersion warn;

  bool IsFullyPrivileged() const;
  /// Reports whether both have the same effect: the version of `privileged` does not matter.
  bool IsEquivalent(const PodSecurityPolicy& other) const;
};

inline constexpr std::string_view kEnforceLabel = "pod-security.kubernetes.io/enforce";
inline constexpr std::string_view kEnforceVersionLabel =
    "pod-security.kubernetes.io/enforce-version";
inline constexpr std::string_view kAuditLabel = "pod-security.kubernetes.io/audit";
inline constexpr std::string_view kAuditVersionLabel = "pod-security.kubernetes.io/audit-version";
inline constexpr std::string_view kWarnLabel = "pod-security.kubernetes.io/warn";
inline constexpr std::string_view kWarnVersionLabel = "pod-security.kubernetes.io/warn-version";

/// Reads `privileged`, `baseline` or `restricted`. Invalid: `must be one of …`.
Result<PodSecurityLevel> ParsePodSecurityLevel(std::string_view text);
/// Reads `latest` or `v1.x`. Invalid: `must be "latest" or "v1.x"`.
Result<PodSecurityVersion> ParsePodSecurityVersion(std::string_view text);

/// Returns the policy that a namespace's labels request; `defaults` replaces missing labels.
/// Without a `warn` label, the `enforce` level is also used for warnings if it is stricter. Adds an
/// error for each invalid label. Such a label counts as `restricted` or `latest` in the enforce
/// mode, and as `privileged` in the others.
PodSecurityPolicy PodSecurityPolicyOf(const StringMap& labels, const PodSecurityPolicy& defaults,
                                      FieldErrors& errors);

}  // namespace plimsoll::api
