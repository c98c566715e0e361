#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/core/placement.h"

namespace plimsoll::api {

enum class TaintEffect : std::uint8_t { NoSchedule, PreferNoSchedule, NoExecute };

std::optional<TaintEffect> ParseTaintEffect(std::string_view text);
std::string_view ToText(TaintEffect effect);

/// `key`, `key=value:` (no effect), `key:effect`, `key=value:effect`, as kubectl prints a taint.
std::string ToText(const Taint& taint);

}  // namespace plimsoll::api
