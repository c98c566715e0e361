#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "apiserver/cache/cache.h"
#include "base/time.h"

namespace plimsoll::apiserver {

/// Facts about an object that a token is bound to.
struct BoundObject {
  std::string uid;
  std::optional<Instant> deleted;  // time at which its deletion takes effect
  std::string service_account;     // of a Pod
  std::string node;                // of a Pod
};

/// Returns a ServiceAccount, Pod, Secret or Node, or nullopt if there is none.
using BoundObjects = std::function<std::optional<BoundObject>(
    std::string_view kind, std::string_view namespace_, std::string_view name)>;

/// Returns a function that reads the cache. Both references must outlive it.
BoundObjects BoundObjectsIn(const Cache& cache, const ResourceTable& resources);

}  // namespace plimsoll::apiserver
