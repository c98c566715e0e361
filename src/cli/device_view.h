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

/// A device that a claim has, as its status says.
struct DeviceUse {
  std::shared_ptr<const api::Object> claim;
  const api::DeviceResult* result = nullptr;

  const api::ResourceClaim& view() const { return *claim->As<api::ResourceClaim>(); }
};

/// `driver/pool/device`
std::string DeviceName(std::string_view driver, std::string_view pool, std::string_view device);

/// The devices of a cluster at one time: who publishes them, what taints them, and who has them.
class DeviceView {
 public:
  using Objects = std::vector<std::shared_ptr<const api::Object>>;

  /// Slices, rules, classes and claims, in any order; others are passed over.
  explicit DeviceView(const Objects& objects);
  /// As the server has them now.
  static Result<std::unique_ptr<DeviceView>> Load(const client::Client& client);

  const dra::SliceTracker& tracker() const { return tracker_; }
  /// Of the newest generation of each pool, in the order of drivers, pools and slices.
  std::vector<const dra::TrackedDevice*> Published() const;
  /// By the names of the claims.
  const std::vector<DeviceUse>& UsesOf(std::string_view driver, std::string_view pool,
                                       std::string_view device) const;
  /// Those of devices that no slice publishes, for each such device.
  std::vector<std::span<const DeviceUse>> UsesOfUnpublished() const;
  /// By name.
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
