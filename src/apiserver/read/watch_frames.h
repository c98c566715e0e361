#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "api/status/status.h"
#include "api/watch_event.h"
#include "apiserver/cache/cache.h"
#include "apiserver/response/negotiation.h"
#include "base/time.h"
#include "net/http.h"

namespace plimsoll::apiserver {

/// Returns ADDED, MODIFIED, DELETED or BOOKMARK.
std::string_view ToText(api::WatchEvent::Type type);

/// Encodes watch events: `{"type":"ADDED","object":…}` and a line end. Watches with the same form
/// share the text of an event.
class WatchFrames {
 public:
  using Type = api::WatchEvent::Type;

  /// `is_local`: the client is in this process and gets decoded objects in place of text.
  WatchFrames(const Resource& resource, const Negotiated& wanted, bool is_local);

  /// Watch event for a selection. None if the object matches neither before nor after the change.
  struct Meaning {
    Type type = Type::Added;
    const ObjectPtr* object = nullptr;  // null: no event
  };
  /// Sets `departed` if needed.
  static Meaning MeaningOf(const CacheEvent& event, const Selection& selection,
                           ObjectPtr& departed);

  /// `is_first`: the first row of a Table comes with the columns.
  net::Piece Object(Type type, const ObjectPtr& object, bool is_first, Instant now) const;
  /// Same as above, but shares texts with other watches of the event. Call it only in OnEvent.
  net::Piece Shared(const CacheEvent& event, Type type, const ObjectPtr& object, bool is_first,
                    Instant now) const;
  /// Equal for all watches of a resource that get the same text for every event. Only the columns
  /// in the first row of a Table may differ.
  std::string_view form() const { return keys_[0]; }
  net::Piece Bookmark(store::Revision revision, bool ends_initial_events) const;
  static net::Piece Failure(const api::StatusObject& status);

 private:
  void AppendObject(const ObjectPtr& object, bool is_first, Instant now, std::string& out) const;

  const Resource& resource_;
  const Negotiated wanted_;
  const bool is_local_;
  std::array<std::string, 6> keys_;  // by type and `is_first`
};

}  // namespace plimsoll::apiserver
