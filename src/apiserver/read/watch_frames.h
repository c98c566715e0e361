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

/// ADDED, MODIFIED, DELETED
std::string_view ToText(WatchType type);

/// Makes what a watch sends: `{"type":"ADDED","object":…}` and a line end. Watchers who want the
/// same form of an event share its text.
class WatchFrames {
 public:
  /// `is_local`: the receiver is in this process and gets the decoded object, too.
  WatchFrames(const Resource& resource, const Negotiated& wanted, bool is_local);

  /// What the event is to a selection: nothing when the object is not of it before nor after.
  struct Meaning {
    WatchType type = WatchType::Added;
    const ObjectPtr* object = nullptr;  // null: nothing
  };
  /// `departed` is filled where needed.
  static Meaning MeaningOf(const CacheEvent& event, const Selection& selection,
                           ObjectPtr& departed);

  /// `is_first`: a table's first row brings the columns with it.
  net::Piece Object(WatchType type, const ObjectPtr& object, bool is_first, Instant now) const;
  /// The same, from those that others have made of the event. Only within OnEvent.
  net::Piece Shared(const CacheEvent& event, WatchType type, const ObjectPtr& object, bool is_first,
                    Instant now) const;
  /// Equal for those of a resource who get equal texts, and whatever the event; but for the columns
  /// that the first row of a table brings.
  std::string_view form() const { return keys_[0]; }
  net::Piece Bookmark(store::Revision revision, bool ends_initial_events) const;
  static net::Piece Failure(const api::StatusObject& status);

 private:
  void AppendObject(const ObjectPtr& object, bool is_first, Instant now, std::string& out) const;

  const Resource& resource_;
  const Negotiated wanted_;
  const bool is_local_;
  std::array<std::string, 6> keys_;  // of the forms: by type, and whether it is the first
};

}  // namespace plimsoll::apiserver
