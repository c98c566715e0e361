#pragma once

#include "api/validation/kind_checks.h"

namespace plimsoll::api {

/// Validates an object whose kind has no struct: its metadata, then the rules that a table has for
/// the kind. A kind without a row is validated by its metadata alone.
void ValidateUntyped(const KindChange& change, FieldErrors& errors);

}  // namespace plimsoll::api
