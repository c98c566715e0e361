#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/core_input.h"
#include "api/resource/device_taint_rule.h"
#include "api/resource/resource_slice.h"
#include "dra/device_selectors.h"
#include "dra/device_taints.h"

/// The devices of a cluster as drivers publish them, with all of their taints.
namespace plimsoll::dra {

/// Of a device that some slice publishes; the number is given to another when no slice does any
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
  std::vector<TrackedDevice> devices;  // as published
};

/// All slices of a driver's pool, of every generation, by their names. Which of them count for a
/// node is the allocator's to say.
struct TrackedPool {
  std::string driver;
  std::string name;
  std::vector<const TrackedSlice*> slices;
  std::int64_t generation = 0;  // the highest
};

/// Keeps the devices, incrementally. A rule's selectors and class are evaluated once for a device
/// and again only when one of the three changes. An evaluation that fails selects nothing.
class SliceTracker {
 public:
  /// What one piece of news has changed; valid until the next.
  struct Changes {
    struct DroppedDevice {
      std::string driver;
      std::string pool;
      std::string name;
    };
    std::vector<const TrackedPool*> pools;  // with other slices or devices than before
    /// As FindDevice gives them, with other taints than before; new ones that have taints, and all
    /// of a pool that has come to another generation.
    std::vector<const TrackedDevice*> devices;
    std::vector<DroppedDevice> dropped_devices;  // that FindDevice has no longer
    std::vector<std::string> dropped_pools;      // `driver/pool`, gone with their last slice
    bool empty() const { return pools.empty() && devices.empty() && dropped_pools.empty(); }
  };

  /// The selectors must outlive the tracker. Without `rules_enabled` (gate DRADeviceTaintRules off)
  /// rules taint nothing; without `taints_enabled` (DRADeviceTaints) nothing does.
  struct Settings {
    bool taints_enabled = true;
    bool rules_enabled = true;
  };
  SliceTracker(const DeviceSelectors& selectors, Settings settings);
  ~SliceTracker();
  SliceTracker(const SliceTracker&) = delete;
  SliceTracker& operator=(const SliceTracker&) = delete;

  /// News of a ResourceSlice, DeviceTaintRule or DeviceClass; of other kinds nothing changes.
  const Changes& Observe(const api::ObjectChanged& news);

  /// Null when there is none.
  const TrackedPool* FindPool(std::string_view driver, std::string_view pool) const;
  /// Among the slices of the highest generation.
  const TrackedDevice* FindDevice(std::string_view driver, std::string_view pool,
                                  std::string_view device) const;
  const TrackedDevice* DeviceOf(DeviceId id) const;
  /// One more than the largest id in use: the size of a table by device.
  std::size_t device_bound() const;

  /// Slices by which nodes can use them: those of this node alone, and those that more than one
  /// node may use (a selector, all nodes, per device).
  std::span<const TrackedSlice* const> SlicesOfNode(std::string_view node) const;
  std::span<const TrackedSlice* const> SharedSlices() const;

  /// The pools by driver and name.
  std::vector<const TrackedPool*> Pools() const;
  /// The devices, of the highest generation of their pools, that the rule selects.
  std::vector<const TrackedDevice*> SelectedBy(const api::DeviceTaintRule& rule) const;
  /// Of a device that FindDevice does not have, claims may have it nevertheless: the taints of the
  /// rules that ask for no more than its driver, pool and name, by the rules' names.
  std::vector<DeviceTaintSource> RuleTaintsOf(std::string_view driver, std::string_view pool,
                                              std::string_view device) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace plimsoll::dra
