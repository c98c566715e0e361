#include "apiserver/cache/watcher_index.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"

namespace plimsoll::apiserver {

std::string_view IndexedField(const Resource& resource) {
  const bool is_pods = resource.group().empty() && resource.name() == "pods";
  const bool is_slices =
      resource.group() == "resource.k8s.io" && resource.name() == "resourceslices";
  return is_pods || is_slices ? "spec.nodeName" : "";
}

WatcherIndex::Groups& WatcherIndex::GroupsOf(Pin pin) { return groups_[std::to_underlying(pin)]; }

std::string_view WatcherIndex::ValueOf(Pin pin, const StoredObject& object) const {
  switch (pin) {
    case Pin::None:
      return "";
    case Pin::Namespace:
      return object.namespace_();
    case Pin::Name:
      return object.name();
    case Pin::Indexed:
      return object.Field(indexed_field_);
  }
  return "";
}

void WatcherIndex::Add(Entry& entry, const Selection& selection) {
  if (const auto name = selection.Pinned("metadata.name")) {
    entry.pin = Pin::Name;
    entry.value = *name;
  } else if (const auto value =
                 indexed_field_.empty() ? std::nullopt : selection.Pinned(indexed_field_)) {
    entry.pin = Pin::Indexed;
    entry.value = *value;
  } else if (!selection.namespace_.empty()) {
    entry.pin = Pin::Namespace;
    entry.value = selection.namespace_;
  }
  GroupsOf(entry.pin)[entry.value].seats.push_back({&entry, entry.observer, entry.after});
  ++size_;
}

void WatcherIndex::Remove(const Entry& entry) {
  Groups& groups = GroupsOf(entry.pin);
  const auto group = groups.find(entry.value);
  if (group == groups.end()) return;  // removed by ResetAll
  std::vector<Seat>& seats = group->second.seats;
  const auto found = std::ranges::find(seats, &entry, &Seat::entry);
  if (found == seats.end()) return;
  --size_;
  if (in_turn_ == &group->second) {
    found->entry = nullptr;
    return;
  }
  *found = seats.back();
  seats.pop_back();
  if (seats.empty()) groups.erase(group);
}

std::size_t WatcherIndex::HandOutTo(Pin pin, std::string_view value,
                                    const std::shared_ptr<const CacheEvent>& event) {
  Groups& groups = GroupsOf(pin);
  const auto found = groups.find(value);
  if (found == groups.end()) return 0;
  Group& group = found->second;
  in_turn_ = &group;
  std::size_t told = 0;
  // By index: the observer may add watchers at the end, which must not get this event.
  for (std::size_t i = 0; i < group.seats.size(); ++i) {
    const Seat& seat = group.seats[i];
    if (seat.entry == nullptr || event->revision <= seat.after) continue;
    seat.observer->OnEvent(event);
    ++told;
  }
  in_turn_ = nullptr;
  std::erase_if(group.seats, [](const Seat& seat) { return seat.entry == nullptr; });
  if (group.seats.empty()) groups.erase(found);
  return told;
}

std::size_t WatcherIndex::Deliver(const std::shared_ptr<const CacheEvent>& event) {
  if (size_ == 0) return 0;
  PL_ASSERT(in_turn_ == nullptr);
  std::size_t told = 0;
  for (const Pin pin : {Pin::None, Pin::Namespace, Pin::Name, Pin::Indexed}) {
    if (GroupsOf(pin).empty()) continue;
    const StoredObject& object = event->now ? *event->now : *event->before;
    told += HandOutTo(pin, ValueOf(pin, object), event);
    // Only the indexed field can change during an object's life.
    if (pin != Pin::Indexed || !event->now || !event->before) continue;
    const std::string_view before = ValueOf(pin, *event->before);
    if (before != ValueOf(pin, object)) told += HandOutTo(pin, before, event);
  }
  return told;
}

bool WatcherIndex::Concerns(const Entry& entry, const CacheEvent& event) const {
  return event.revision > entry.after &&
         ((event.now && ValueOf(entry.pin, *event.now) == entry.value) ||
          (event.before && ValueOf(entry.pin, *event.before) == entry.value));
}

void WatcherIndex::ResetAll() {
  std::array<Groups, 4> told;
  std::swap(told, groups_);
  size_ = 0;
  for (Groups& groups : told) {
    for (auto& [value, group] : groups) {
      for (const Seat& seat : group.seats) {
        if (seat.entry != nullptr) seat.observer->OnReset();
      }
    }
  }
}

}  // namespace plimsoll::apiserver
