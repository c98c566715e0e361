#pragma once

#include "api/validation/kind_checks.h"

namespace plimsoll::api {

/// The metadata and, by a table from kinds to their rules, the rest of an object that has no view
/// of its own. A kind without a row is judged by its metadata alone.
void ValidateUntyped(const KindChange& change, FieldErrors& errors);

}  // namespace plimsoll::api
