#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/cache/cache.h"

namespace plimsoll::apiserver {

/// A field by which pods, and what else belongs to a node, are found without looking at all of
/// them; empty for other resources.
std::string_view IndexedField(const Resource& resource);

/// Who gets the events of a resource, sorted by the one thing that their selection pins, so that an
/// event costs no more than its readers: ten thousand kubelets each watch the pods of one node, and
/// a pod's event looks up one of them.
///
/// Members may be added and removed while an event is handed out, by the thread that does it; the
/// owner's lock keeps others away.
class WatcherGroups {
 public:
  /// Somebody who watches. Stays where and as it is while it is a member.
  struct Member {
    CacheObserver* observer = nullptr;
    store::Revision after{};  // only later events are for it

   private:
    friend class WatcherGroups;
    enum class Pin : std::uint8_t { None, Namespace, Name, Indexed };
    Pin pin = Pin::None;
    std::string value;
  };

  explicit WatcherGroups(std::string_view indexed_field) : indexed_field_(indexed_field) {}

  void Add(Member& member, const Selection& selection);
  void Remove(const Member& member);
  /// Returns how many were told.
  std::size_t HandOut(const std::shared_ptr<const CacheEvent>& event);
  /// Whether the event may concern the member's selection.
  bool Concerns(const Member& member, const CacheEvent& event) const;
  /// Tells everyone, and forgets them.
  void ResetAll();
  std::size_t size() const { return size_; }

 private:
  using Pin = Member::Pin;
  /// With what every event asks of a member, so that a thousand are told without a look at each.
  struct Seat {
    Member* member = nullptr;  // null: removed while its turn was on
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
  const Group* in_turn_ = nullptr;  // the group whose members are being told
};

}  // namespace plimsoll::apiserver
