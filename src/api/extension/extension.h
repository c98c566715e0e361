#pragma once

#include <memory>
#include <string_view>

#include "api/object.h"
#include "api/validation/context.h"

/// Moves values from plimsoll.io annotations into fields that the server does not know. A server
/// that does not know `expression` drops the field and keeps the rest, a toleration of everything.
/// An annotation is safe: components that do not understand it ignore it.
namespace plimsoll::api {

/// On a pod: JSON of spec.tolerations, added to those of the spec. On a ResourceClaim: JSON of a
/// request's tolerations, added to every request.
inline constexpr std::string_view kTolerationsAnnotation = "plimsoll.io/tolerations";
/// On a pod: JSON of spec.affinity.nodeAffinity, in addition to that of the spec (both must match).
inline constexpr std::string_view kNodeAffinityAnnotation = "plimsoll.io/node-affinity";

/// Returns the object with its annotations merged into its fields, or the object itself if it has
/// none. Cheap for objects without such annotations. If an annotation is invalid, the fields stay
/// unchanged and FaultOf returns all faults, in the words of validation.
std::shared_ptr<const Object> Extend(const std::shared_ptr<const Object>& object,
                                     const ValidationContext& context);

/// Returns why the object's annotations are invalid; empty for valid objects. Components must not
/// act on the fields of an object with a fault.
std::string_view FaultOf(const Object& object);

}  // namespace plimsoll::api
