#include "api/podsecurity/policy.h"

#include <array>
#include <charconv>

namespace plimsoll::api {
namespace {

constexpr std::array<std::string_view, 3> kLevelNames = {"privileged", "baseline", "restricted"};

bool HasSameEffect(const LevelVersion& a, const LevelVersion& b) {
  return a == b ||
         (a.level == PodSecurityLevel::Privileged && b.level == PodSecurityLevel::Privileged);
}

/// Reads the two labels of one mode into `out`. Returns true when the level was given and is valid.
bool ReadMode(const StringMap& labels, std::string_view level_label, std::string_view version_label,
              LevelVersion& out, PodSecurityLevel level_if_bad, FieldErrors& errors) {
  const FieldPath metadata("metadata");
  const FieldPath at = metadata / "labels";
  bool has_level = false;
  if (const auto text = labels.Find(level_label)) {
    const Result<PodSecurityLevel> level = ParsePodSecurityLevel(*text);
    if (!level) errors.Invalid(at.Key(level_label), *text, level.error().message);
    out.level = level.value_or(level_if_bad);
    has_level = level.has_value();
  }
  if (const auto text = labels.Find(version_label)) {
    const Result<PodSecurityVersion> version = ParsePodSecurityVersion(*text);
    if (!version) errors.Invalid(at.Key(version_label), *text, version.error().message);
    out.version = version.value_or(PodSecurityVersion{});
  }
  return has_level;
}

}  // namespace

std::string_view PodSecurityLevelName(PodSecurityLevel level) {
  return kLevelNames.at(static_cast<std::size_t>(level));
}

std::string PodSecurityVersion::Text() const {
  return minor ? "v1." + std::to_string(*minor) : "latest";
}

std::string LevelVersion::Text() const {
  return std::string(PodSecurityLevelName(level)) + ":" + version.Text();
}

bool PodSecurityPolicy::IsFullyPrivileged() const {
  return enforce.level == PodSecurityLevel::Privileged &&
         audit.level == PodSecurityLevel::Privileged && warn.level == PodSecurityLevel::Privileged;
}

bool PodSecurityPolicy::IsEquivalent(const PodSecurityPolicy& other) const {
  return HasSameEffect(enforce, other.enforce) && HasSameEffect(audit, other.audit) &&
         HasSameEffect(warn, other.warn);
}

Result<PodSecurityLevel> ParsePodSecurityLevel(std::string_view text) {
  for (std::size_t i = 0; i < kLevelNames.size(); ++i) {
    if (kLevelNames.at(i) == text) return static_cast<PodSecurityLevel>(i);
  }
  return Fail(Reason::Invalid, "must be one of privileged, baseline, restricted");
}

Result<PodSecurityVersion> ParsePodSecurityVersion(std::string_view text) {
  if (text == "latest") return PodSecurityVersion{};
  constexpr std::string_view kPrefix = "v1.";
  const auto fault = Fail(Reason::Invalid, R"(must be "latest" or "v1.x")");
  if (!text.starts_with(kPrefix)) return fault;
  text.remove_prefix(kPrefix.size());
  if (text.empty() || text.front() < '0' || text.front() > '9') return fault;
  if (text.front() == '0' && text.size() > 1) return fault;
  std::int64_t minor = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, minor);
  if (error != std::errc() || stop != end) return fault;
  return PodSecurityVersion{minor};
}

PodSecurityPolicy PodSecurityPolicyOf(const StringMap& labels, const PodSecurityPolicy& defaults,
                                      FieldErrors& errors) {
  PodSecurityPolicy policy = defaults;
  if (labels.empty()) return policy;
  const bool is_enforce_set = ReadMode(labels, kEnforceLabel, kEnforceVersionLabel, policy.enforce,
                                       PodSecurityLevel::Restricted, errors);
  ReadMode(labels, kAuditLabel, kAuditVersionLabel, policy.audit, PodSecurityLevel::Privileged,
           errors);
  ReadMode(labels, kWarnLabel, kWarnVersionLabel, policy.warn, PodSecurityLevel::Privileged,
           errors);
  if (is_enforce_set && !labels.Has(kWarnLabel) && policy.enforce.level > policy.warn.level) {
    policy.warn.level = policy.enforce.level;
    if (!labels.Has(kWarnVersionLabel)) policy.warn.version = policy.enforce.version;
  }
  return policy;
}

}  // namespace plimsoll::api
