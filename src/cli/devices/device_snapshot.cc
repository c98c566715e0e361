#include "cli/devices/device_snapshot.h"

#include <algorithm>

#include "base/assert.h"

namespace plimsoll::cli {
namespace {

bool ByName(const std::shared_ptr<const api::Object>& a,
            const std::shared_ptr<const api::Object>& b) {
  return std::tuple(a->metadata().namespace_, a->metadata().name) <
         std::tuple(b->metadata().namespace_, b->metadata().name);
}

}  // namespace

std::string DeviceName(std::string_view driver, std::string_view pool, std::string_view device) {
  return std::string(driver) + "/" + std::string(pool) + "/" + std::string(device);
}

DeviceSnapshot::DeviceSnapshot(const Objects& objects) {
  Objects sorted = objects;
  std::ranges::sort(sorted, ByName);
  for (const auto& object : sorted) {
    tracker_.Observe({nullptr, object});
    if (object->As<api::DeviceTaintRule>() != nullptr) rules_.push_back(object);
    if (object->As<api::DeviceClass>() != nullptr) classes_.push_back(object);
    const auto* const claim = object->As<api::ResourceClaim>();
    if (claim == nullptr || !claim->allocation) continue;
    for (const api::DeviceResult& result : claim->allocation->results) {
      uses_[{std::string(result.driver), std::string(result.pool), std::string(result.device)}]
          .push_back({object, &result});
    }
  }
}

Result<std::unique_ptr<DeviceSnapshot>> DeviceSnapshot::Load(const client::Client& client) {
  Objects objects;
  for (const std::string_view kind :
       {"DeviceClass", "DeviceTaintRule", "ResourceSlice", "ResourceClaim"}) {
    const api::KindDesc* const desc = api::FindKind("resource.k8s.io", "v1", kind);
    PL_ASSERT(desc != nullptr);
    auto list = client.List({*desc});
    // Many servers serve devices but no rules, which are behind a feature gate.
    if (!list && kind == "DeviceTaintRule" && client::IsUnservedPath(list.error())) continue;
    if (!list) {
      return Fail(Reason::ServiceUnavailable,
                  "cannot list " + std::string(desc->plural) + ": " + list.error().message);
    }
    objects.insert(objects.end(), list->objects.begin(), list->objects.end());
  }
  return std::make_unique<DeviceSnapshot>(objects);
}

std::vector<const dra::TrackedDevice*> DeviceSnapshot::Published() const {
  std::vector<const dra::TrackedDevice*> devices;
  for (const dra::TrackedPool* const pool : tracker_.Pools()) {
    for (const dra::TrackedSlice* const slice : pool->slices) {
      if (slice->view->pool.generation != pool->generation) continue;
      for (const dra::TrackedDevice& device : slice->devices) devices.push_back(&device);
    }
  }
  return devices;
}

const std::vector<DeviceUse>& DeviceSnapshot::UsesOf(std::string_view driver, std::string_view pool,
                                                     std::string_view device) const {
  static const std::vector<DeviceUse> kNone;
  const auto at = uses_.find({std::string(driver), std::string(pool), std::string(device)});
  return at == uses_.end() ? kNone : at->second;
}

std::vector<std::span<const DeviceUse>> DeviceSnapshot::UsesOfUnpublished() const {
  std::vector<std::span<const DeviceUse>> found;
  for (const auto& [key, uses] : uses_) {
    const auto& [driver, pool, device] = key;
    if (tracker_.FindDevice(driver, pool, device) != nullptr) continue;
    found.emplace_back(uses);
  }
  return found;
}

}  // namespace plimsoll::cli
