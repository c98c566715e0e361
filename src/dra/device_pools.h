#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/interner.h"
#include "dra/slice_tracker.h"

namespace plimsoll::dra {

/// Index of one publication of a device, that is, of a device in a slice. If slices of two
/// generations publish the same device, it has one DeviceId and two slots.
using DeviceSlot = std::uint32_t;

struct PoolRecord;

struct SliceRecord : TrackedSlice {
  std::string name;
  PoolRecord* pool = nullptr;
  std::vector<DeviceSlot> slots;  // of `devices`, in the same order

  std::int64_t generation() const { return view->pool.generation; }
};

/// A taint that a slice gives to a device of its pool through `taints`.
struct SliceTaint {
  const SliceRecord* slice = nullptr;
  const api::DeviceTaint* taint = nullptr;
};

/// Id of a driver that has a pool.
using DriverId = Interner::Id;

struct PoolRecord : TrackedPool {
  DriverId driver_id = Interner::kNone;
  bool is_new = true;                 // its generation is not known yet
  std::vector<SliceRecord*> records;  // same as `slices`
  std::map<std::string, DeviceId, std::less<>> ids;
  /// By device name. Only slices of the highest generation, sorted by slice name.
  std::map<std::string, std::vector<SliceTaint>, std::less<>> slice_taints;
};

/// Slices by pool, and their devices by slot. It does not handle rules.
class DevicePools {
 public:
  /// Effect of a change on a slice's devices.
  struct Edit {
    PoolRecord* pool = nullptr;  // null: deleted with its last slice, or no change
    std::string dropped_pool;    // `driver/pool`, if deleted
    bool is_generation_new = false;
    std::vector<DeviceSlot> added;
    std::vector<DeviceSlot> kept;            // same name in the same slice
    std::vector<DeviceSlot> removed;         // caller must release them
    std::vector<std::string> removed_names;  // names of the removed devices
    std::vector<std::string> slice_tainted;  // devices whose taints from slices changed
    /// Old slice. The taints of kept devices still point into it.
    std::shared_ptr<const api::Object> object_before;
  };

  /// Adds the slice, or replaces the slice of that name.
  Edit Put(std::shared_ptr<const api::Object> slice);
  Edit Remove(std::string_view slice);
  /// Makes a removed slot available for another device.
  void Release(DeviceSlot slot) { free_slots_.push_back(slot); }
  /// Returns the slice of that name, or null.
  const SliceRecord* FindSlice(std::string_view name) const;

  /// Returns true if the slot holds a device.
  bool IsUsed(DeviceSlot slot) const { return slots_[slot].device != nullptr; }
  TrackedDevice& device(DeviceSlot slot) { return *slots_[slot].device; }
  const TrackedDevice& device(DeviceSlot slot) const { return *slots_[slot].device; }
  SliceRecord& slice(DeviceSlot slot) const { return *slots_[slot].slice; }
  DriverId driver(DeviceSlot slot) const { return slots_[slot].driver; }
  /// Returns kNone, which no slot with a device has, if the driver has no pool.
  DriverId FindDriver(std::string_view name) const { return drivers_.Find(name); }
  std::size_t slot_bound() const { return slots_.size(); }

  PoolRecord* FindPool(std::string_view driver, std::string_view pool) const;
  /// Returns the device in the pool's highest generation. If two slices have it, the first.
  const TrackedDevice* Current(DeviceId id) const {
    return id < publications_.size() ? publications_[id].current : nullptr;
  }
  /// Returns true if Current returns the slot's device.
  bool IsCurrent(DeviceSlot slot) const { return slots_[slot].is_current; }
  std::span<const DeviceSlot> SlotsOf(DeviceId id) const { return publications_[id].slots; }
  std::size_t device_bound() const { return publications_.size(); }

  std::span<const TrackedSlice* const> SlicesOfNode(std::string_view node) const;
  std::span<const TrackedSlice* const> SharedSlices() const { return shared_slices_; }

  /// Returns the matching pools, sorted. A driver or name that is not given matches all.
  std::vector<PoolRecord*> PoolsOf(std::optional<std::string_view> driver,
                                   std::optional<std::string_view> pool) const;

 private:
  using PoolKey = std::pair<std::string, std::string>;  // driver, name
  struct PoolKeyLess {
    using is_transparent = void;
    template <class A, class B>
    bool operator()(const A& a, const B& b) const {
      return std::pair<std::string_view, std::string_view>(a) <
             std::pair<std::string_view, std::string_view>(b);
    }
  };
  struct Slot {
    TrackedDevice* device = nullptr;
    SliceRecord* slice = nullptr;
    DriverId driver = Interner::kNone;
    bool is_current = false;
  };
  struct Publication {
    PoolRecord* pool = nullptr;
    const TrackedDevice* current = nullptr;
    std::vector<DeviceSlot> slots;  // sorted by slice name; empty: the id is free
  };

  PoolRecord& PoolFor(const api::ResourceSlice& slice);
  void DropPool(PoolRecord& pool);
  void ReplaceDevices(SliceRecord& slice, std::span<const api::Device> devices, Edit& edit);
  DeviceSlot AddSlot(SliceRecord& slice, TrackedDevice& device);
  void DropSlot(DeviceSlot slot, const TrackedDevice& device);
  void RefreshCurrent(DeviceId id);
  void RefreshCurrent(const SliceRecord& slice);
  /// Returns false if the generation has not changed.
  bool RefreshGeneration(PoolRecord& pool, Edit& edit);
  void AddSliceTaints(PoolRecord& pool, const SliceRecord& slice, Edit& edit);
  void DropSliceTaints(PoolRecord& pool, const SliceRecord& slice, Edit& edit);
  /// Adds the slice to the list of its node, or to the shared slices.
  void List(const SliceRecord& slice);
  void Unlist(const SliceRecord& slice);

  std::map<std::string, std::unique_ptr<SliceRecord>, std::less<>> slices_;
  std::map<PoolKey, std::unique_ptr<PoolRecord>, PoolKeyLess> pools_;
  std::map<std::string, std::vector<PoolRecord*>, std::less<>> pools_by_name_;
  Interner drivers_;
  std::vector<Slot> slots_;
  std::vector<DeviceSlot> free_slots_;
  std::vector<Publication> publications_;  // by DeviceId
  std::vector<DeviceId> free_ids_;
  std::map<std::string, std::vector<const TrackedSlice*>, std::less<>> slices_by_node_;
  std::vector<const TrackedSlice*> shared_slices_;
};

}  // namespace plimsoll::dra
