#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/cache/cache.h"

namespace plimsoll::apiserver {

/// Returns the field by which pods and ResourceSlices of a node are indexed, or "" for other
/// resources.
std::string_view IndexedField(const Resource& resource);

/// Watchers of a resource, grouped by the one field that their selection pins. So the cost of an
/// event depends on its receivers only. Example: ten thousand kubelets each watch the pods of one
/// node, and a pod's event finds one of them.
///
/// The delivering thread may add and remove members during a delivery. The owner's lock must
/// exclude other threads.
class WatcherGroups {
 public:
  /// A watcher. It must not move or change while it is a member.
  struct Member {
    CacheObserver* observer = nullptr;
    store::Revision after{};  // receives only later events

   private:
    friend class WatcherGroups;
    enum class Pin : std::uint8_t { None, Namespace, Name, Indexed };
    Pin pin = Pin::None;
    std::string value;
  };

  explicit WatcherGroups(std::string_view indexed_field) : indexed_field_(indexed_field) {}

  void Add(Member& member, const Selection& selection);
  void Remove(const Member& member);
  /// Delivers the event. Returns the number of receivers.
  std::size_t Deliver(const std::shared_ptr<const CacheEvent>& event);
  /// Returns true if the event may match the member's selection.
  bool Concerns(const Member& member, const CacheEvent& event) const;
  /// Calls OnReset of all members and removes them.
  void ResetAll();
  std::size_t size() const { return size_; }

 private:
  using Pin = Member::Pin;
  /// Copy of the fields of a member that a delivery needs, stored contiguously.
  struct Seat {
    Member* member = nullptr;  // null: removed during a delivery
    CacheObserver* observer = nullptr;
    store::Revision after{};
  };
  struct Group {
    std::vector<Seat> seats;
  };
  using Groups = std::map<std::string, Group, std::less<>>;

  Groups& GroupsOf(Pin pin);
  std::string_view ValueOf(Pin pin, const StoredObject& object) const;
  std::size_t HandOutTo(Pin pin, std::string_view value,
                        const std::shared_ptr<const CacheEvent>& event);

  std::string_view indexed_field_;
  std::array<Groups, 4> groups_;  // by Pin
  std::size_t size_ = 0;
  const Group* in_turn_ = nullptr;  // group that an event is being delivered to
};

}  // namespace plimsoll::apiserver
