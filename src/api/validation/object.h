#pragma once

#include <string>

#include "api/field_error.h"
#include "api/object.h"
#include "api/validation/context.h"

namespace plimsoll::api {

/// Returns all errors of a new object, by the rules of its kind. For a kind without rules,
/// only the metadata is validated.
FieldErrors ValidateCreate(const Object& object, const ValidationContext& context);

/// Same as ValidateCreate, for an update. Both objects must be of one kind.
FieldErrors ValidateUpdate(const Object& now, const Object& before,
                           const ValidationContext& context);

/// Same as ValidateUpdate, for a write to a sub-resource such as `status`.
FieldErrors ValidateStatusUpdate(const Object& now, const Object& before,
                                 const ValidationContext& context);

/// Returns the start of the error message: `Pod "web" is invalid: `, or with a group,
/// `Deployment.apps "web" is invalid: `.
std::string InvalidPrefix(const Object& object);

}  // namespace plimsoll::api
