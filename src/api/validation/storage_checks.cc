#include "api/validation/storage_checks.h"

#include <algorithm>
#include <array>

#include "api/validation/field_checks.h"

namespace plimsoll::api {
namespace {

constexpr std::array<std::string_view, 4> kAccessModes{"ReadOnlyMany", "ReadWriteMany",
                                                       "ReadWriteOnce", "ReadWriteOncePod"};

}  // namespace

void ValidateAccessModes(std::span<const std::string_view> modes, const FieldPath& at,
                         FieldErrors& errors) {
  bool has_single_pod = false;
  bool has_other = false;
  for (const std::string_view mode : modes) {
    const bool is_known = std::ranges::find(kAccessModes, mode) != kAccessModes.end();
    if (!is_known) errors.NotSupported(at, BadValue::TypedString(mode), kAccessModes);
    has_single_pod |= mode == "ReadWriteOncePod";
    has_other |= is_known && mode != "ReadWriteOncePod";
  }
  if (has_single_pod && has_other) {
    errors.Forbidden(at, "may not use ReadWriteOncePod with other access modes");
  }
}

void ValidateVolumeMode(const std::optional<std::string_view>& mode, const FieldPath& at,
                        FieldErrors& errors) {
  if (mode) CheckOneOf(*mode, {"Block", "Filesystem"}, at, errors);
}

void ValidateVolumeModeUpdate(const std::optional<std::string_view>& now,
                              const std::optional<std::string_view>& before, FieldErrors& errors) {
  if (now == before) return;
  errors.Invalid(FieldPath("volumeMode"), now ? BadValue::TypedString(*now) : BadValue::Null(),
                 "field is immutable");
}

}  // namespace plimsoll::api
