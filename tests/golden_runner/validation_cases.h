#pragma once

#include <string_view>

#include "api/field_error.h"
#include "api/validation/context.h"
#include "golden.h"

/// Functions shared by the validation checks.
namespace plimsoll::golden {

/// Gates as in upstream, which has neither version operators nor expressions.
api::ValidationContext UpstreamContext();

/// Compares with the list of errors at `key`; returns nothing if the case has no such list.
Mismatch DifferErrors(const Case& one, std::string_view key, const api::FieldErrors& got);

}  // namespace plimsoll::golden
