#pragma once

#include <string_view>

#include "api/field_error.h"
#include "api/validation/context.h"
#include "golden.h"

/// What the checks of validation share.
namespace plimsoll::golden {

/// Upstream, which answered the cases, has neither versions nor expressions.
api::ValidationContext UpstreamContext();

/// Compares with the list of errors under `key`; nothing when the case has no such list.
Mismatch DifferErrors(const Case& one, std::string_view key, const api::FieldErrors& got);

}  // namespace plimsoll::golden
