#include "dra/allocated_devices.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"

namespace plimsoll::dra {

std::span<const std::string> AllocatedDevices::Set(std::string_view claim_uid,
                                                   const api::AllocationResult* allocation) {
  changed_.clear();
  const auto known = claims_.find(claim_uid);
  Record record = allocation == nullptr ? Record{} : MakeRecord(*allocation);
  if (known != claims_.end() && Equal(known->second, record)) {
    Release(record);
    return changed_;
  }
  if (known != claims_.end()) {
    for (const Taken& taken : known->second) Count(taken, false);
  }
  for (const Taken& taken : record) Count(taken, true);
  if (known != claims_.end()) Release(known->second);
  if (!record.empty()) {
    claims_.insert_or_assign(std::string(claim_uid), std::move(record));
  } else if (known != claims_.end()) {
    claims_.erase(known);
  }
  std::ranges::sort(changed_);
  changed_.erase(std::ranges::unique(changed_).begin(), changed_.end());
  return changed_;
}

void AllocatedDevices::Withdraw(std::string_view pool) {
  const auto at = published_.find(pool);
  if (at == published_.end()) return;
  for (const Interner::Id name : at->second) {
    for (const DeviceId id : std::exchange(entries_[name].ids, {})) {
      states_[id] = 0;
      entry_of_[id] = Interner::kNone;
    }
    names_.Release(name);
  }
  published_.erase(at);
}

void AllocatedDevices::Publish(const TrackedPool& pool) {
  std::vector<Interner::Id>& names = published_[pool.driver + "/" + pool.name];
  PL_ASSERT(names.empty());
  for (const TrackedSlice* const slice : pool.slices) {
    for (const TrackedDevice& device : slice->devices) {
      const Interner::Id name = Acquire(pool.driver, pool.name, device.device->name);
      names.push_back(name);
      if (device.id >= states_.size()) {
        const std::size_t size = std::max<std::size_t>(device.id + 1, states_.size() * 2);
        states_.resize(size);
        entry_of_.resize(size, Interner::kNone);
      }
      entry_of_[device.id] = name;
      entries_[name].ids.push_back(device.id);
      Show(entries_[name]);
    }
  }
}

const Amounts* AllocatedDevices::Consumed(DeviceId device) const {
  if (device >= states_.size() || (states_[device] & kShared) == 0) return nullptr;
  return &entries_[entry_of_[device]].consumed;
}

AllocatedDevices::Record AllocatedDevices::MakeRecord(const api::AllocationResult& allocation) {
  Record record;
  record.reserve(allocation.results.size());
  for (const api::DeviceResult& result : allocation.results) {
    if (result.admin_access) continue;
    Taken& taken = record.emplace_back();
    taken.device = Acquire(result.driver, result.pool, result.device);
    taken.is_share = !result.share_id.empty();
    if (!taken.is_share) continue;
    for (const api::NamedQuantity& amount : result.consumed_capacity) {
      const Interner::Id name = capacities_.Acquire(amount.name).id;
      taken.consumed.push_back({capacities_.text(name), amount.value});
    }
  }
  return record;
}

void AllocatedDevices::Release(const Record& record) {
  for (const Taken& taken : record) {
    for (const api::NamedQuantity& amount : taken.consumed) {
      capacities_.Release(capacities_.Find(amount.name));
    }
    names_.Release(taken.device);
  }
}

void AllocatedDevices::Count(const Taken& taken, bool is_added) {
  Entry& entry = entries_[taken.device];
  std::uint32_t& count = taken.is_share ? entry.shares : entry.exclusive;
  if (is_added) {
    ++count;
    AddAmounts(entry.consumed, taken.consumed);
  } else {
    --count;
    SubtractAmounts(entry.consumed, taken.consumed);
    // A capacity name stays interned only while a claim refers to it, so drop zero amounts.
    std::erase_if(entry.consumed,
                  [](const api::NamedQuantity& left) { return left.value.is_zero(); });
  }
  Show(entry);
  NoteChange(taken.device);
}

bool AllocatedDevices::Equal(const Record& a, const Record& b) const {
  return std::ranges::equal(a, b, [](const Taken& x, const Taken& y) {
    return x.device == y.device && x.is_share == y.is_share &&
           std::ranges::equal(x.consumed, y.consumed, [](const auto& one, const auto& other) {
             return one.name == other.name && one.value == other.value;
           });
  });
}

void AllocatedDevices::Show(const Entry& entry) {
  const auto state = static_cast<std::uint8_t>((entry.exclusive != 0 ? kExclusive : 0) |
                                               (entry.shares != 0 ? kShared : 0));
  for (const DeviceId id : entry.ids) states_[id] = state;
}

Interner::Id AllocatedDevices::Acquire(std::string_view driver, std::string_view pool,
                                       std::string_view device) {
  std::string name;
  name.reserve(driver.size() + pool.size() + device.size() + 2);
  name.append(driver).append("/").append(pool).append("/").append(device);
  const auto [id, is_new] = names_.Acquire(name);
  if (is_new) {
    if (id >= entries_.size()) entries_.resize(id + 1);
    entries_[id] = {};
  }
  return id;
}

void AllocatedDevices::NoteChange(Interner::Id device) {
  const std::string_view name = names_.text(device);
  changed_.emplace_back(name.substr(0, name.rfind('/')));
}

}  // namespace plimsoll::dra
