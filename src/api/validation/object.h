#pragma once

#include <string>

#include "api/field_error.h"
#include "api/object.h"
#include "api/validation/context.h"

namespace plimsoll::api {

/// All faults of an object that is to be created, by the rules of its kind. A kind without rules of
/// its own is judged by its metadata.
FieldErrors ValidateCreate(const Object& object, const ValidationContext& context);

/// Likewise of an update. The two must be of one kind.
FieldErrors ValidateUpdate(const Object& now, const Object& before,
                           const ValidationContext& context);

/// Likewise of a write to a sub-resource that changes the object, as `status` does.
FieldErrors ValidateStatusUpdate(const Object& now, const Object& before,
                                 const ValidationContext& context);

/// `Pod "web" is invalid: `, or with its group, `Deployment.apps "web" is invalid: `: what a
/// server's answer begins with.
std::string InvalidPrefix(const Object& object);

}  // namespace plimsoll::api
