#include "dra/device_pools.h"

#include <algorithm>
#include <iterator>

#include "base/assert.h"

namespace plimsoll::dra {
namespace {

/// Slices are sorted by name everywhere.
constexpr auto kByName = [](const TrackedSlice* slice) { return slice->view->metadata.name; };

/// Returns the node of a slice that only one node can use.
std::optional<std::string_view> NodeOf(const SliceRecord& slice) {
  return slice.view->nodes.node_name;
}

template <class T>
void TakeOut(std::vector<T>& from, const T& item) {
  const auto place = std::ranges::find(from, item);
  PL_ASSERT(place != from.end());
  from.erase(place);
}

/// Finds a device's old index. Devices of a slice rarely move, so check its current index first.
std::optional<std::size_t> PlaceOf(std::string_view name, std::span<const TrackedDevice> before,
                                   const std::vector<bool>& is_taken, std::size_t likely) {
  const auto is_there = [&](std::size_t i) {
    return !is_taken[i] && before[i].device->name == name;
  };
  if (likely < before.size() && is_there(likely)) return likely;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (is_there(i)) return i;
  }
  return std::nullopt;
}

}  // namespace

DevicePools::Edit DevicePools::Put(std::shared_ptr<const api::Object> object) {
  const auto* const view = object->As<api::ResourceSlice>();
  PL_ASSERT(view != nullptr);
  Edit edit;
  std::unique_ptr<SliceRecord>& place = slices_[std::string(view->metadata.name)];
  const bool is_new = place == nullptr;
  if (is_new) {
    place = std::make_unique<SliceRecord>();
    place->name = view->metadata.name;
    place->pool = &PoolFor(*view);
  } else if (place->object == object) {
    return edit;
  } else {
    Unlist(*place);
    DropSliceTaints(*place->pool, *place, edit);
  }
  SliceRecord& slice = *place;
  PoolRecord& pool = *slice.pool;
  PL_ASSERT(pool.driver == view->driver && pool.name == view->pool.name);
  edit.pool = &pool;
  edit.object_before = std::exchange(slice.object, std::move(object));
  slice.view = view;
  if (is_new) {
    const auto at = std::ranges::lower_bound(pool.records, slice.name, {}, &SliceRecord::name);
    pool.slices.insert(pool.slices.begin() + (at - pool.records.begin()), &slice);
    pool.records.insert(at, &slice);
  }
  List(slice);
  ReplaceDevices(slice, view->devices, edit);
  if (!RefreshGeneration(pool, edit)) AddSliceTaints(pool, slice, edit);
  RefreshCurrent(slice);
  return edit;
}

DevicePools::Edit DevicePools::Remove(std::string_view name) {
  Edit edit;
  const auto found = slices_.find(name);
  if (found == slices_.end()) return edit;
  SliceRecord& slice = *found->second;
  PoolRecord& pool = *slice.pool;
  edit.pool = &pool;
  edit.object_before = slice.object;
  Unlist(slice);
  DropSliceTaints(pool, slice, edit);
  ReplaceDevices(slice, {}, edit);
  TakeOut<const TrackedSlice*>(pool.slices, &slice);
  TakeOut(pool.records, &slice);
  slices_.erase(found);
  if (!pool.records.empty()) {
    RefreshGeneration(pool, edit);
    return edit;
  }
  edit.pool = nullptr;
  edit.dropped_pool = pool.driver + '/' + pool.name;
  DropPool(pool);
  return edit;
}

const SliceRecord* DevicePools::FindSlice(std::string_view name) const {
  const auto found = slices_.find(name);
  return found == slices_.end() ? nullptr : found->second.get();
}

PoolRecord* DevicePools::FindPool(std::string_view driver, std::string_view pool) const {
  const auto found = pools_.find(std::pair(driver, pool));
  return found == pools_.end() ? nullptr : found->second.get();
}

void DevicePools::RefreshCurrent(DeviceId id) {
  Publication& publication = publications_[id];
  const auto counts = [&](DeviceSlot slot) {
    return slots_[slot].slice->generation() == publication.pool->generation;
  };
  const auto found = std::ranges::find_if(publication.slots, counts);
  publication.current = found == publication.slots.end() ? nullptr : slots_[*found].device;
  for (const DeviceSlot slot : publication.slots) {
    slots_[slot].is_current = slots_[slot].device == publication.current;
  }
}

void DevicePools::RefreshCurrent(const SliceRecord& slice) {
  for (const TrackedDevice& device : slice.devices) RefreshCurrent(device.id);
}

std::span<const TrackedSlice* const> DevicePools::SlicesOfNode(std::string_view node) const {
  const auto found = slices_by_node_.find(node);
  if (found == slices_by_node_.end()) return {};
  return found->second;
}

std::vector<PoolRecord*> DevicePools::PoolsOf(std::optional<std::string_view> driver,
                                              std::optional<std::string_view> pool) const {
  std::vector<PoolRecord*> pools;
  if (driver && pool) {
    if (PoolRecord* const found = FindPool(*driver, *pool)) pools.push_back(found);
  } else if (pool) {
    if (const auto found = pools_by_name_.find(*pool); found != pools_by_name_.end()) {
      pools = found->second;
    }
  } else {
    auto next =
        driver ? pools_.lower_bound(std::pair(*driver, std::string_view{})) : pools_.begin();
    for (; next != pools_.end() && (!driver || next->first.first == *driver); ++next) {
      pools.push_back(next->second.get());
    }
  }
  return pools;
}

PoolRecord& DevicePools::PoolFor(const api::ResourceSlice& slice) {
  std::unique_ptr<PoolRecord>& pool =
      pools_[{std::string(slice.driver), std::string(slice.pool.name)}];
  if (pool == nullptr) {
    pool = std::make_unique<PoolRecord>();
    pool->driver = slice.driver;
    pool->driver_id = drivers_.Acquire(slice.driver).id;
    pool->name = slice.pool.name;
    std::vector<PoolRecord*>& namesakes = pools_by_name_[pool->name];
    namesakes.insert(std::ranges::lower_bound(namesakes, pool->driver, {}, &PoolRecord::driver),
                     pool.get());
  }
  return *pool;
}

void DevicePools::DropPool(PoolRecord& pool) {
  drivers_.Release(pool.driver_id);
  const auto namesakes = pools_by_name_.find(pool.name);
  TakeOut(namesakes->second, &pool);
  if (namesakes->second.empty()) pools_by_name_.erase(namesakes);
  pools_.erase(pools_.find(std::pair<std::string_view, std::string_view>(pool.driver, pool.name)));
}

void DevicePools::ReplaceDevices(SliceRecord& slice, std::span<const api::Device> devices,
                                 Edit& edit) {
  std::vector<TrackedDevice> before = std::exchange(slice.devices, {});
  const std::vector<DeviceSlot> slots_before = std::exchange(slice.slots, {});
  std::vector<bool> is_kept(before.size());
  slice.devices.reserve(devices.size());
  slice.slots.reserve(devices.size());
  for (const api::Device& device : devices) {
    TrackedDevice& tracked = slice.devices.emplace_back();
    tracked.device = &device;
    tracked.slice = &slice;
    const auto known = PlaceOf(device.name, before, is_kept, slice.slots.size());
    if (!known) {
      slice.slots.push_back(AddSlot(slice, tracked));
      edit.added.push_back(slice.slots.back());
      continue;
    }
    const DeviceSlot slot = slots_before[*known];
    is_kept[*known] = true;
    tracked.id = before[*known].id;
    tracked.taints = std::move(before[*known].taints);
    slots_[slot].device = &tracked;
    slice.slots.push_back(slot);
    edit.kept.push_back(slot);
  }
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (is_kept[i]) continue;
    DropSlot(slots_before[i], before[i]);
    edit.removed.push_back(slots_before[i]);
    edit.removed_names.emplace_back(before[i].device->name);
  }
}

DeviceSlot DevicePools::AddSlot(SliceRecord& slice, TrackedDevice& device) {
  DeviceSlot slot = static_cast<DeviceSlot>(slots_.size());
  if (free_slots_.empty()) {
    slots_.emplace_back();
  } else {
    slot = free_slots_.back();
    free_slots_.pop_back();
  }
  slots_[slot] = {.device = &device, .slice = &slice, .driver = slice.pool->driver_id};

  const auto known = slice.pool->ids.find(device.device->name);
  if (known != slice.pool->ids.end()) {
    device.id = known->second;
  } else {
    if (free_ids_.empty()) {
      device.id = static_cast<DeviceId>(publications_.size());
      publications_.emplace_back();
    } else {
      device.id = free_ids_.back();
      free_ids_.pop_back();
    }
    slice.pool->ids.emplace(device.device->name, device.id);
  }
  Publication& publication = publications_[device.id];
  publication.pool = slice.pool;
  const auto name_of = [this](DeviceSlot other) {
    return std::string_view(slots_[other].slice->name);
  };
  publication.slots.insert(
      std::ranges::upper_bound(publication.slots, std::string_view(slice.name), {}, name_of), slot);
  return slot;
}

void DevicePools::DropSlot(DeviceSlot slot, const TrackedDevice& device) {
  Publication& publication = publications_[device.id];
  TakeOut(publication.slots, slot);
  slots_[slot] = {};
  RefreshCurrent(device.id);
  if (!publication.slots.empty()) return;
  publication.pool->ids.erase(publication.pool->ids.find(device.device->name));
  publication.pool = nullptr;
  free_ids_.push_back(device.id);
}

bool DevicePools::RefreshGeneration(PoolRecord& pool, Edit& edit) {
  const std::int64_t highest =
      std::ranges::max(pool.records, {}, &SliceRecord::generation)->generation();
  if (highest == pool.generation && !pool.is_new) return false;
  edit.is_generation_new = true;
  pool.is_new = false;
  pool.generation = highest;
  pool.slice_taints.clear();
  for (const SliceRecord* const slice : pool.records) {
    AddSliceTaints(pool, *slice, edit);
    RefreshCurrent(*slice);
  }
  return true;
}

void DevicePools::AddSliceTaints(PoolRecord& pool, const SliceRecord& slice, Edit& edit) {
  if (slice.generation() != pool.generation) return;
  const auto name_of = [](const SliceTaint& taint) { return std::string_view(taint.slice->name); };
  for (const api::SliceDeviceTaint& taint : slice.view->taints) {
    std::vector<SliceTaint>& taints = pool.slice_taints[std::string(taint.device)];
    taints.insert(std::ranges::upper_bound(taints, std::string_view(slice.name), {}, name_of),
                  SliceTaint{&slice, &taint.taint});
    edit.slice_tainted.emplace_back(taint.device);
  }
}

void DevicePools::DropSliceTaints(PoolRecord& pool, const SliceRecord& slice, Edit& edit) {
  for (const api::SliceDeviceTaint& taint : slice.view->taints) {
    const auto found = pool.slice_taints.find(taint.device);
    if (found == pool.slice_taints.end()) continue;
    std::erase_if(found->second, [&](const SliceTaint& other) { return other.slice == &slice; });
    if (found->second.empty()) pool.slice_taints.erase(found);
    edit.slice_tainted.emplace_back(taint.device);
  }
}

void DevicePools::List(const SliceRecord& slice) {
  const auto node = NodeOf(slice);
  auto& list = node ? slices_by_node_[std::string(*node)] : shared_slices_;
  list.insert(std::ranges::lower_bound(list, kByName(&slice), {}, kByName), &slice);
}

void DevicePools::Unlist(const SliceRecord& slice) {
  const auto node = NodeOf(slice);
  if (!node) {
    TakeOut<const TrackedSlice*>(shared_slices_, &slice);
    return;
  }
  const auto of_node = slices_by_node_.find(*node);
  TakeOut<const TrackedSlice*>(of_node->second, &slice);
  if (of_node->second.empty()) slices_by_node_.erase(of_node);
}

}  // namespace plimsoll::dra
