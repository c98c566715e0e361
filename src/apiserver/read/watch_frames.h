#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "api/status/status.h"
#include "apiserver/cache/cache.h"
#include "apiserver/response/negotiation.h"
#include "base/time.h"
#include "net/http.h"

namespace plimsoll::apiserver {

enum class WatchType : std::uint8_t { Added, Modified, Deleted };

/// Returns ADDED, MODIFIED or DELETED.
std::string_view ToText(WatchType type);

/// Encodes watch events: `{"type":"ADDED","object":…}` and a line end. Watches with the same form
/// share the text of an event.
class WatchFrames {
 public:
  /// `is_local`: the client is in this process and gets the decoded object, too.
  WatchFrames(const Resource& resource, const Negotiated& wanted, bool is_local);

  /// Watch event for a selection. None if the object matches neither before nor after the change.
  struct Meaning {
    WatchType type = WatchType::Added;
    const ObjectPtr* object = nullptr;  // null: no event
  };
  /// Sets `departed` if needed.
  static Meaning MeaningOf(const CacheEvent& event, const Selection& selection,
                           ObjectPtr& departed);

  /// `is_first`: the first row of a Table comes with the columns.
  net::Piece Object(WatchType type, const ObjectPtr& object, bool is_first, Instant now) const;
  /// Same as above, but shares texts with other watches of the event. Call it only in OnEvent.
  net::Piece Shared(const CacheEvent& event, WatchType type, const ObjectPtr& object, bool is_first,
                    Instant now) const;
  /// Equal for all watches of a resource that get the same text for every event, apart from the
  /// columns in the first row of a Table.
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
