#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/resource/resource_claim.h"
#include "base/interner.h"
#include "dra/capacity.h"
#include "dra/slice_tracker.h"

namespace plimsoll::dra {

/// Devices that claims have allocated, exclusively or shared. Devices are identified by name, so
/// that one counts even while no slice publishes it. Published devices can be looked up by id.
/// Allocations with admin access take nothing and are ignored.
class AllocatedDevices {
 public:
  AllocatedDevices() = default;
  AllocatedDevices(const AllocatedDevices&) = delete;
  AllocatedDevices& operator=(const AllocatedDevices&) = delete;

  /// Replaces the claim's allocation; null removes it. Returns the pools (`driver/pool`) with
  /// a device whose use changed, valid until the next call. An unchanged allocation returns
  /// none.
  std::span<const std::string> Set(std::string_view claim_uid,
                                   const api::AllocationResult* allocation);

  /// Removes the ids of the devices of the pool `driver/pool`. When several pools have changed,
  /// call it for all of them before the first Publish, because ids may move between pools.
  void Withdraw(std::string_view pool);
  /// Adds the ids of the pool's published devices. REQUIRES: Withdraw was called for the pool.
  void Publish(const TrackedPool& pool);

  /// Returns true if a claim has the device exclusively.
  bool IsExclusive(DeviceId device) const {
    return device < states_.size() && (states_[device] & kExclusive) != 0;
  }
  /// Returns true if a claim has the device, or a share of it.
  bool IsTaken(DeviceId device) const { return device < states_.size() && states_[device] != 0; }
  /// Returns the capacity consumed by shares of the device, or null. The names are interned.
  const Amounts* Consumed(DeviceId device) const;

  std::size_t claims() const { return claims_.size(); }

 private:
  static constexpr std::uint8_t kExclusive = 1;
  static constexpr std::uint8_t kShared = 2;

  /// A device that is allocated or published. Its index is the id of its interned name.
  struct Entry {
    std::uint32_t exclusive = 0;  // number of claims that have it exclusively
    std::uint32_t shares = 0;
    Amounts consumed;           // by shares; zero amounts are removed
    std::vector<DeviceId> ids;  // more than one if two generations publish it
  };
  struct Taken {
    Interner::Id device = Interner::kNone;
    bool is_share = false;
    Amounts consumed;  // names are interned
  };
  using Record = std::vector<Taken>;

  Record MakeRecord(const api::AllocationResult& allocation);
  void Release(const Record& record);
  void Count(const Taken& taken, bool is_added);
  bool Equal(const Record& a, const Record& b) const;
  void Show(const Entry& entry);
  Interner::Id Acquire(std::string_view driver, std::string_view pool, std::string_view device);
  void NoteChange(Interner::Id device);

  Interner names_;              // device names: `driver/pool/device`
  std::vector<Entry> entries_;  // by the ids of names_
  Interner capacities_;         // capacity names
  std::map<std::string, std::vector<Interner::Id>, std::less<>> published_;  // by `driver/pool`
  std::map<std::string, Record, std::less<>> claims_;                        // by uid
  std::vector<std::uint8_t> states_;                                         // by DeviceId
  std::vector<Interner::Id> entry_of_;                                       // by DeviceId
  std::vector<std::string> changed_;
};

}  // namespace plimsoll::dra
