#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace plimsoll::api {

enum class TaintEffect : std::uint8_t { NoSchedule, PreferNoSchedule, NoExecute };

/// A node taint. `effect` stays as written, so that validation can report invalid values.
struct Taint {
  std::string_view key;
  std::string_view value;
  std::string_view effect;
  std::string_view time_added;  // RFC 3339; empty when unset

  friend bool operator==(const Taint&, const Taint&) = default;
};

std::optional<TaintEffect> ParseTaintEffect(std::string_view text);
std::string_view ToText(TaintEffect effect);

/// `key`, `key=value:` (no effect), `key:effect`, `key=value:effect`, as kubectl prints a taint.
std::string ToText(const Taint& taint);

}  // namespace plimsoll::api
