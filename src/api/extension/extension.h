#pragma once

#include <memory>
#include <string_view>

#include "api/object.h"
#include "api/validation/context.h"

/// What objects say in annotations because the server has no fields for it. A server that does not
/// know `expression` drops it and keeps the rest, which is then a toleration of everything; in an
/// annotation nobody reads it who does not understand it.
namespace plimsoll::api {

/// Of a pod the same JSON as spec.tolerations, which count beside those of the spec; of a
/// ResourceClaim the same as the tolerations of a request, which count for all of its requests.
inline constexpr std::string_view kTolerationsAnnotation = "plimsoll.io/tolerations";
/// Of a pod the same JSON as spec.affinity.nodeAffinity; both that of the spec and this must hold.
inline constexpr std::string_view kNodeAffinityAnnotation = "plimsoll.io/node-affinity";

/// The object with what its annotations say in its fields, or the object itself when they say
/// nothing, which costs a look at its annotations and no more. Whatever is wrong with them, all of
/// it as validation would say it, becomes the object's fault, and the fields stay as they are.
std::shared_ptr<const Object> Extend(const std::shared_ptr<const Object>& object,
                                     const ValidationContext& context);

/// Why what the object asks for in annotations cannot be known; empty for nearly all. Nobody acts
/// on what the fields of such an object alone would mean.
std::string_view FaultOf(const Object& object);

}  // namespace plimsoll::api
