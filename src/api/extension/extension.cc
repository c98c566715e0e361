#include "api/extension/extension.h"

#include "api/extension/extended_claim.h"
#include "api/extension/extended_pod.h"

namespace plimsoll::api {

std::shared_ptr<const Object> Extend(const std::shared_ptr<const Object>& object,
                                     const ValidationContext& context) {
  if (object->metadata().annotations.empty()) return object;
  if (object->As<Pod>() != nullptr) return ExtendPod(object, context);
  if (object->As<ResourceClaim>() != nullptr) return ExtendClaim(object, context);
  return object;
}

}  // namespace plimsoll::api
