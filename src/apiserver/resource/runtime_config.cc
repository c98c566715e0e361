#include "apiserver/resource/runtime_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "api/schema/schema.h"
#include "apiserver/resource/metrics_resources.h"

namespace plimsoll::apiserver {
namespace {

constexpr std::string_view kAll = "api/all";
constexpr std::array<std::string_view, 4> kClasses = {kAll, "api/ga", "api/beta", "api/alpha"};
constexpr std::array<std::string_view, 3> kCore = {"v1", "/v1", "api/v1"};

std::string_view ClassOf(std::string_view version) {
  if (version.contains("alpha")) return "api/alpha";
  if (version.contains("beta")) return "api/beta";
  return "api/ga";
}

std::vector<std::string_view> Split(std::string_view key) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= key.size();) {
    const std::size_t end = std::min(key.find('/', at), key.size());
    parts.push_back(key.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

std::optional<bool> ReadValue(std::string_view text) {
  if (text.empty() || text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  return std::nullopt;
}

/// Checks that a key names an existing `group/version` or `group/version/resource`.
Status CheckExists(std::string_view key) {
  const std::vector<std::string_view> parts = Split(key);
  if (parts.size() < 2 || parts.size() > 3) {
    return Fail(Reason::Invalid, fmt::format("runtime-config invalid key {}", key));
  }
  const auto any = [&](std::size_t depth) {
    const auto is_meant = [&](const api::KindDesc& kind) {
      return !kind.plural.empty() && kind.group == parts[0] &&
             (depth < 2 || kind.version == parts[1]) && (depth < 3 || kind.plural == parts[2]);
    };
    return std::ranges::any_of(api::AllKinds(), is_meant) ||
           std::ranges::any_of(MetricsKinds(), is_meant);
  };
  if (!any(1)) return Fail(Reason::Invalid, fmt::format("unknown api groups {}", parts[0]));
  if (!any(2)) {
    return Fail(Reason::Invalid, fmt::format("group version {}/{} that has not been registered",
                                             parts[0], parts[1]));
  }
  if (parts.size() == 3 && !any(3)) {
    return Fail(Reason::Invalid, fmt::format("resource {} that has not been registered", key));
  }
  return {};
}

}  // namespace

Result<RuntimeConfig> RuntimeConfig::Parse(std::span<const std::string> settings) {
  RuntimeConfig config;
  for (const std::string_view setting : settings) {
    if (setting.empty()) continue;
    const std::size_t equals = std::min(setting.find('='), setting.size());
    const std::string_view key = setting.substr(0, equals);
    const std::string_view text = setting.substr(std::min(equals + 1, setting.size()));
    const std::optional<bool> value = ReadValue(text);
    if (!value) {
      return Fail(Reason::Invalid, fmt::format("invalid value of {}: {}", key, text));
    }
    if (std::ranges::find(kCore, key) != kCore.end()) {
      if (*value) continue;
      return Fail(Reason::Invalid, fmt::format("{} cannot be disabled: the server needs it", key));
    }
    if (std::ranges::find(kClasses, key) == kClasses.end()) PL_TRY(CheckExists(key));
    config.settings_.insert_or_assign(std::string(key), *value);
  }
  if (config.settings_.size() == 1 && config.settings_.contains(kAll) &&
      !config.settings_.begin()->second) {
    return Fail(Reason::Invalid, "invalid key with only api/all=false");
  }
  return config;
}

bool RuntimeConfig::Serves(std::string_view group, std::string_view version,
                           std::string_view plural) const {
  if (group.empty()) return true;
  for (const std::string& key :
       {fmt::format("{}/{}/{}", group, version, plural), fmt::format("{}/{}", group, version),
        std::string(ClassOf(version)), std::string(kAll)}) {
    if (const auto found = settings_.find(key); found != settings_.end()) return found->second;
  }
  return true;
}

}  // namespace plimsoll::apiserver
