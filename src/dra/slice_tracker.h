#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/pure_core.h"
#include "api/resource/device_taint_rule.h"
#include "api/resource/resource_slice.h"
#include "dra/device_selectors.h"
#include "dra/device_taints.h"

/// The devices of a cluster as drivers publish them, with all of their taints.
namespace plimsoll::dra {

/// Id of a published device. It is reused once no slice publishes the device any
/// more.
using DeviceId = std::uint32_t;

struct TrackedSlice;

struct TrackedDevice {
  DeviceId id = 0;
  const api::Device* device = nullptr;
  const TrackedSlice* slice = nullptr;
  DeviceTaints taints;
};

struct TrackedSlice {
  std::shared_ptr<const api::Object> object;
  const api::ResourceSlice* view = nullptr;
  std::vector<TrackedDevice> devices;  // in published order
};

/// All slices of a driver's pool, of every generation, sorted by name. The allocator decides which
/// of them count for a node.
struct TrackedPool {
  std::string driver;
  std::string name;
  std::vector<const TrackedSlice*> slices;
  std::int64_t generation = 0;  // the highest
};

/// Tracks the devices incrementally. A rule is evaluated for a device only when the rule, its class
/// or the device changes. An evaluation that fails selects nothing.
class SliceTracker {
 public:
  /// Effect of one change; valid until the next Observe.
  struct Changes {
    struct DroppedDevice {
      std::string driver;
      std::string pool;
      std::string name;
    };
    std::vector<const TrackedPool*> pools;  // pools with changed slices or devices
    /// Devices, as FindDevice returns them, whose taints changed. Also new devices with taints, and
    /// all devices of a pool with a new generation.
    std::vector<const TrackedDevice*> devices;
    std::vector<DroppedDevice> dropped_devices;  // no longer found by FindDevice
    std::vector<std::string> dropped_pools;      // `driver/pool`, deleted with their last slice
    bool empty() const { return pools.empty() && devices.empty() && dropped_pools.empty(); }
  };

  /// The selectors must outlive the tracker. Without `rules_enabled` (gate DRADeviceTaintRules
  /// off), rules add no taints. Without `taints_enabled` (DRADeviceTaints), there are no taints.
  struct Settings {
    bool taints_enabled = true;
    bool rules_enabled = true;
  };
  SliceTracker(const DeviceSelectors& selectors, Settings settings);
  ~SliceTracker();
  SliceTracker(const SliceTracker&) = delete;
  SliceTracker& operator=(const SliceTracker&) = delete;

  /// Handles a change of a ResourceSlice, DeviceTaintRule or DeviceClass. Ignores other kinds.
  const Changes& Observe(const api::ObjectChanged& news);

  /// Returns null if there is no such pool.
  const TrackedPool* FindPool(std::string_view driver, std::string_view pool) const;
  /// Finds a device in slices of the pool's highest generation.
  const TrackedDevice* FindDevice(std::string_view driver, std::string_view pool,
                                  std::string_view device) const;
  const TrackedDevice* DeviceOf(DeviceId id) const;
  /// Returns one more than the largest id in use: the size of a table by device.
  std::size_t device_bound() const;

  /// Slices by the nodes that can use them. SharedSlices returns those that several nodes may use
  /// (node selector, all nodes, or per device).
  std::span<const TrackedSlice* const> SlicesOfNode(std::string_view node) const;
  std::span<const TrackedSlice* const> SharedSlices() const;

  /// Returns the pools, sorted by driver and name.
  std::vector<const TrackedPool*> Pools() const;
  /// Returns the devices, in the highest generation of their pools, that the rule selects.
  std::vector<const TrackedDevice*> SelectedBy(const api::DeviceTaintRule& rule) const;
  /// Returns the taints of rules that select only by driver, pool and name, sorted by rule. For a
  /// device that FindDevice does not find, but that claims may still use.
  std::vector<DeviceTaintSource> RuleTaintsOf(std::string_view driver, std::string_view pool,
                                              std::string_view device) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace plimsoll::dra
