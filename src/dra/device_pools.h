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

/// Of one publication: a device in a slice. Two slices of different generations that publish the
/// same device have one DeviceId for it and two slots.
using DeviceSlot = std::uint32_t;

struct PoolRecord;

struct SliceRecord : TrackedSlice {
  std::string name;
  PoolRecord* pool = nullptr;
  std::vector<DeviceSlot> slots;  // of `devices`, in their order

  std::int64_t generation() const { return view->pool.generation; }
};

/// A taint that a slice of taints gives to a device of its pool.
struct SliceTaint {
  const SliceRecord* slice = nullptr;
  const api::DeviceTaint* taint = nullptr;
};

/// Of a driver that has a pool.
using DriverId = Interner::Id;

struct PoolRecord : TrackedPool {
  DriverId driver_id = Interner::kNone;
  bool is_new = true;                 // its generation is not known yet
  std::vector<SliceRecord*> records;  // as `slices`
  std::map<std::string, DeviceId, std::less<>> ids;
  /// By the device's name; of slices of the highest generation, by their names.
  std::map<std::string, std::vector<SliceTaint>, std::less<>> slice_taints;
};

/// Slices by pool, and their devices by number. It knows nothing of rules.
class DevicePools {
 public:
  /// What became of a slice's devices.
  struct Edit {
    PoolRecord* pool = nullptr;  // null: gone with its last slice, or nothing has changed
    std::string dropped_pool;    // `driver/pool` if gone
    bool is_generation_new = false;
    std::vector<DeviceSlot> added;
    std::vector<DeviceSlot> kept;            // devices of the same name in the same slice
    std::vector<DeviceSlot> removed;         // to be released
    std::vector<std::string> removed_names;  // theirs
    std::vector<std::string> slice_tainted;  // names with other taints in slices of taints
    /// What the slice was; the taints of kept devices are still those of its time.
    std::shared_ptr<const api::Object> object_before;
  };

  /// The slice of that name as it is now.
  Edit Put(std::shared_ptr<const api::Object> slice);
  Edit Remove(std::string_view slice);
  /// Lets a removed slot serve another device.
  void Release(DeviceSlot slot) { free_slots_.push_back(slot); }
  /// The slice of that name, or null.
  const SliceRecord* FindSlice(std::string_view name) const;

  /// Whether a device is in the slot.
  bool IsUsed(DeviceSlot slot) const { return slots_[slot].device != nullptr; }
  TrackedDevice& device(DeviceSlot slot) { return *slots_[slot].device; }
  const TrackedDevice& device(DeviceSlot slot) const { return *slots_[slot].device; }
  SliceRecord& slice(DeviceSlot slot) const { return *slots_[slot].slice; }
  DriverId driver(DeviceSlot slot) const { return slots_[slot].driver; }
  /// kNone, which no slot with a device has, when the driver has no pool.
  DriverId FindDriver(std::string_view name) const { return drivers_.Find(name); }
  std::size_t slot_bound() const { return slots_.size(); }

  PoolRecord* FindPool(std::string_view driver, std::string_view pool) const;
  /// Of the highest generation of its pool; of several of one name that of the first slice.
  const TrackedDevice* Current(DeviceId id) const {
    return id < publications_.size() ? publications_[id].current : nullptr;
  }
  /// Whether the slot's device is what Current gives.
  bool IsCurrent(DeviceSlot slot) const { return slots_[slot].is_current; }
  std::span<const DeviceSlot> SlotsOf(DeviceId id) const { return publications_[id].slots; }
  std::size_t device_bound() const { return publications_.size(); }

  std::span<const TrackedSlice* const> SlicesOfNode(std::string_view node) const;
  std::span<const TrackedSlice* const> SharedSlices() const { return shared_slices_; }

  /// The pools that the driver and name, where given, stand for, in their order.
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
    std::vector<DeviceSlot> slots;  // by the names of their slices; empty: the id is free
  };

  PoolRecord& PoolFor(const api::ResourceSlice& slice);
  void DropPool(PoolRecord& pool);
  void ReplaceDevices(SliceRecord& slice, std::span<const api::Device> devices, Edit& edit);
  DeviceSlot AddSlot(SliceRecord& slice, TrackedDevice& device);
  void DropSlot(DeviceSlot slot, const TrackedDevice& device);
  void RefreshCurrent(DeviceId id);
  void RefreshCurrent(const SliceRecord& slice);
  /// False: it is what it was.
  bool RefreshGeneration(PoolRecord& pool, Edit& edit);
  void AddSliceTaints(PoolRecord& pool, const SliceRecord& slice, Edit& edit);
  void DropSliceTaints(PoolRecord& pool, const SliceRecord& slice, Edit& edit);
  /// Among those of its node, or the shared ones.
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
