#pragma once

#include <memory>

#include "api/extension/extension.h"

namespace plimsoll::api {

/// Extend for pods.
std::shared_ptr<const Object> ExtendPod(const std::shared_ptr<const Object>& pod,
                                        const ValidationContext& context);

}  // namespace plimsoll::api
