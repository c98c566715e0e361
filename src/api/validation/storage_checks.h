#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "api/field_error.h"

/// Checks shared by volumes and claims.
namespace plimsoll::api {

void ValidateAccessModes(std::span<const std::string_view> modes, const FieldPath& at,
                         FieldErrors& errors);

void ValidateVolumeMode(const std::optional<std::string_view>& mode, const FieldPath& at,
                        FieldErrors& errors);

void ValidateVolumeModeUpdate(const std::optional<std::string_view>& now,
                              const std::optional<std::string_view>& before, FieldErrors& errors);

}  // namespace plimsoll::api
