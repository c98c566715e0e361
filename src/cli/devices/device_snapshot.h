#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "api/object.h"
#include "base/result.h"
#include "client/client.h"
#include "dra/slice_tracker.h"

namespace plimsoll::cli {

/// A device that is allocated to a claim, according to the claim's status.
struct DeviceUse {
  std::shared_ptr<const api::Object> claim;
  const api::DeviceResult* result = nullptr;

  const api::ResourceClaim& view() const { return *claim->As<api::ResourceClaim>(); }
};

/// Returns `driver/pool/device`.
std::string DeviceName(std::string_view driver, std::string_view pool, std::string_view device);

/// Snapshot of a cluster's devices: slices, taints, and the claims that use them.
class DeviceSnapshot {
 public:
  using Objects = std::vector<std::shared_ptr<const api::Object>>;

  /// `objects` are slices, rules, classes and claims, in any order. Others are ignored.
  explicit DeviceSnapshot(const Objects& objects);
  /// Lists the objects from the server.
  static Result<std::unique_ptr<DeviceSnapshot>> Load(const client::Client& client);

  const dra::SliceTracker& tracker() const { return tracker_; }
  /// Returns devices of each pool's newest generation, in the order of driver, pool and slice.
  std::vector<const dra::TrackedDevice*> Published() const;
  /// Returns the claims that use the device, by name.
  const std::vector<DeviceUse>& UsesOf(std::string_view driver, std::string_view pool,
                                       std::string_view device) const;
  /// Returns the uses of devices that no slice publishes, grouped by device.
  std::vector<std::span<const DeviceUse>> UsesOfUnpublished() const;
  /// Sorted by name.
  const Objects& rules() const { return rules_; }
  const Objects& classes() const { return classes_; }

 private:
  using DeviceKey = std::tuple<std::string, std::string, std::string>;

  dra::DeviceSelectors selectors_;
  dra::SliceTracker tracker_{selectors_, {}};
  std::map<DeviceKey, std::vector<DeviceUse>> uses_;
  Objects rules_;
  Objects classes_;
};

}  // namespace plimsoll::cli
