#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/cache/cache_event.h"
#include "apiserver/resource/resource.h"

namespace plimsoll::apiserver {

/// Returns the field by which pods and ResourceSlices of a node are indexed, or "" for other
/// resources.
std::string_view IndexedField(const Resource& resource);

/// Watchers of a resource, grouped by the one field that their selection pins. So the cost of an
/// event depends on its receivers only. Example: ten thousand kubelets each watch the pods of one
/// node, and a pod's event finds one of them.
///
/// The delivering thread may add and remove watchers during a delivery. The owner's lock must
/// exclude other threads.
class WatcherIndex {
 public:
  /// A watcher. It must not move or change while it is in the index.
  struct Entry {
    CacheObserver* observer = nullptr;
    store::Revision after{};  // receives only later events

   private:
    friend class WatcherIndex;
    enum class Pin : std::uint8_t { None, Namespace, Name, Indexed };
    Pin pin = Pin::None;
    std::string value;
  };

  explicit WatcherIndex(std::string_view indexed_field) : indexed_field_(indexed_field) {}

  void Add(Entry& entry, const Selection& selection);
  void Remove(const Entry& entry);
  /// Delivers the event. Returns the number of receivers.
  std::size_t Deliver(const std::shared_ptr<const CacheEvent>& event);
  /// Returns true if the event may match the entry's selection.
  bool Concerns(const Entry& entry, const CacheEvent& event) const;
  /// Calls OnReset of all watchers and removes them.
  void ResetAll();
  std::size_t size() const { return size_; }

 private:
  using Pin = Entry::Pin;
  /// Copy of the fields of an entry that a delivery needs, stored contiguously.
  struct Seat {
    Entry* entry = nullptr;  // null: removed during a delivery
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
