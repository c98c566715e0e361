#include "apiserver/cache/watcher_groups.h"

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

WatcherGroups::Groups& WatcherGroups::GroupsOf(Pin pin) { return groups_[std::to_underlying(pin)]; }

std::string_view WatcherGroups::ValueOf(Pin pin, const StoredObject& object) const {
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

void WatcherGroups::Add(Member& member, const Selection& selection) {
  if (const auto name = selection.Pinned("metadata.name")) {
    member.pin = Pin::Name;
    member.value = *name;
  } else if (const auto value =
                 indexed_field_.empty() ? std::nullopt : selection.Pinned(indexed_field_)) {
    member.pin = Pin::Indexed;
    member.value = *value;
  } else if (!selection.namespace_.empty()) {
    member.pin = Pin::Namespace;
    member.value = selection.namespace_;
  }
  GroupsOf(member.pin)[member.value].seats.push_back({&member, member.observer, member.after});
  ++size_;
}

void WatcherGroups::Remove(const Member& member) {
  Groups& groups = GroupsOf(member.pin);
  const auto group = groups.find(member.value);
  if (group == groups.end()) return;  // removed by ResetAll
  std::vector<Seat>& seats = group->second.seats;
  const auto found = std::ranges::find(seats, &member, &Seat::member);
  if (found == seats.end()) return;
  --size_;
  if (in_turn_ == &group->second) {
    found->member = nullptr;
    return;
  }
  *found = seats.back();
  seats.pop_back();
  if (seats.empty()) groups.erase(group);
}

std::size_t WatcherGroups::HandOutTo(Pin pin, std::string_view value,
                                     const std::shared_ptr<const CacheEvent>& event) {
  Groups& groups = GroupsOf(pin);
  const auto found = groups.find(value);
  if (found == groups.end()) return 0;
  Group& group = found->second;
  in_turn_ = &group;
  std::size_t told = 0;
  // By index: the observer may add members at the end, which must not get this event.
  for (std::size_t i = 0; i < group.seats.size(); ++i) {
    const Seat& seat = group.seats[i];
    if (seat.member == nullptr || event->revision <= seat.after) continue;
    seat.observer->OnEvent(event);
    ++told;
  }
  in_turn_ = nullptr;
  std::erase_if(group.seats, [](const Seat& seat) { return seat.member == nullptr; });
  if (group.seats.empty()) groups.erase(found);
  return told;
}

std::size_t WatcherGroups::Deliver(const std::shared_ptr<const CacheEvent>& event) {
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

bool WatcherGroups::Concerns(const Member& member, const CacheEvent& event) const {
  return event.revision > member.after &&
         ((event.now && ValueOf(member.pin, *event.now) == member.value) ||
          (event.before && ValueOf(member.pin, *event.before) == member.value));
}

void WatcherGroups::ResetAll() {
  std::array<Groups, 4> told;
  std::swap(told, groups_);
  size_ = 0;
  for (Groups& groups : told) {
    for (auto& [value, group] : groups) {
      for (const Seat& seat : group.seats) {
        if (seat.member != nullptr) seat.observer->OnReset();
      }
    }
  }
}

}  // namespace plimsoll::apiserver
