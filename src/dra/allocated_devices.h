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

/// Which devices claims have, be it each for itself or shared. Devices are known by their names, so
/// that one counts also while no slice publishes it; those that are published are found by their
/// ids. Access for administrators takes nothing and is left out.
class AllocatedDevices {
 public:
  AllocatedDevices() = default;
  AllocatedDevices(const AllocatedDevices&) = delete;
  AllocatedDevices& operator=(const AllocatedDevices&) = delete;

  /// Replaces what the claim has; null: nothing. Returns the pools whose devices are now taken by
  /// more or fewer, `driver/pool`, valid until the next call; a claim that has what it had changes
  /// none.
  std::span<const std::string> Set(std::string_view claim_uid,
                                   const api::AllocationResult* allocation);

  /// The devices of the pool, `driver/pool`, are no longer what they were. When several pools have
  /// changed, all are to be withdrawn before one is published, as ids may go from one to another.
  void Withdraw(std::string_view pool);
  /// The pool's devices as they are published now; it has been withdrawn before.
  void Publish(const TrackedPool& pool);

  /// Some claim has the device for itself.
  bool IsExclusive(DeviceId device) const {
    return device < states_.size() && (states_[device] & kExclusive) != 0;
  }
  /// Some claim has it, or a share of it.
  bool IsTaken(DeviceId device) const { return device < states_.size() && states_[device] != 0; }
  /// What shares have taken of it; null: nothing. By interned names.
  const Amounts* Consumed(DeviceId device) const;

  std::size_t claims() const { return claims_.size(); }

 private:
  static constexpr std::uint8_t kExclusive = 1;
  static constexpr std::uint8_t kShared = 2;

  /// A device that is taken or published; its place is the id of its name.
  struct Entry {
    std::uint32_t exclusive = 0;  // claims that have it for themselves
    std::uint32_t shares = 0;
    Amounts consumed;           // by shares; zeros are left out
    std::vector<DeviceId> ids;  // more than one while two generations publish it
  };
  struct Taken {
    Interner::Id device = Interner::kNone;
    bool is_share = false;
    Amounts consumed;  // by interned names
  };
  using Record = std::vector<Taken>;

  Record MakeRecord(const api::AllocationResult& allocation);
  void Release(const Record& record);
  void Count(const Taken& taken, bool is_added);
  bool Equal(const Record& a, const Record& b) const;
  void Show(const Entry& entry);
  Interner::Id Acquire(std::string_view driver, std::string_view pool, std::string_view device);
  void NoteChange(Interner::Id device);

  Interner names_;              // of devices: `driver/pool/device`
  std::vector<Entry> entries_;  // by the ids of names
  Interner capacities_;         // their names
  std::map<std::string, std::vector<Interner::Id>, std::less<>> published_;  // by `driver/pool`
  std::map<std::string, Record, std::less<>> claims_;                        // by uid
  std::vector<std::uint8_t> states_;                                         // by DeviceId
  std::vector<Interner::Id> entry_of_;                                       // by DeviceId
  std::vector<std::string> changed_;
};

}  // namespace plimsoll::dra
