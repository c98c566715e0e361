#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "apiserver/cache/cache.h"
#include "base/time.h"

namespace plimsoll::apiserver {

/// What is known of an object that a token depends on.
struct BoundObject {
  std::string uid;
  std::optional<Instant> deleted;  // when its deletion takes effect
  std::string service_account;     // of a Pod
  std::string node;                // of a Pod
};

/// Finds a ServiceAccount, Pod, Secret or Node; nothing when it is not there.
using BoundObjects = std::function<std::optional<BoundObject>(
    std::string_view kind, std::string_view namespace_, std::string_view name)>;

/// From the cache. Both must outlive the function.
BoundObjects BoundObjectsIn(const Cache& cache, const ResourceTable& resources);

}  // namespace plimsoll::apiserver
