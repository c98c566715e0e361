#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace plimsoll::apiserver {

/// API versions to serve: the settings of `--runtime-config`. From the highest priority to the
/// lowest: `group/version/resource`, `group/version`, `api/ga`, `api/beta` or `api/alpha`, and
/// `api/all`. By default everything is served.
/// The core group, `v1`, is always served.
class RuntimeConfig {
 public:
  /// Each setting is `key`, `key=true` or `key=false`. Fails with Invalid for another value, and
  /// for a group, version or resource that does not exist.
  static Result<RuntimeConfig> Parse(std::span<const std::string> settings);

  bool Serves(std::string_view group, std::string_view version, std::string_view plural) const;

 private:
  std::map<std::string, bool, std::less<>> settings_;  // by key
};

}  // namespace plimsoll::apiserver
