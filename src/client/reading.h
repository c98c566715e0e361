#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/object.h"
#include "api/status/status.h"
#include "api/watch_piece.h"
#include "codec/json.h"
#include "net/client.h"

/// From what a server sends to values.
namespace plimsoll::client {

using ObjectPtr = std::shared_ptr<const api::Object>;

/// One event of a watch.
struct WatchEvent {
  enum class Type : std::uint8_t { Added, Modified, Deleted, Bookmark };

  Type type = Type::Bookmark;
  ObjectPtr object;                  // null for a Bookmark
  std::string resource_version;      // of a Bookmark; else the object's is meant
  bool ends_initial_events = false;  // of a Bookmark: all that was there has been sent
};

/// What of an object nobody will look at, and which therefore is not read: objects and lists.
class UnreadFields {
 public:
  /// Dotted from the object's root, `spec.containers`; at most kUnreadMax. What they name must
  /// outlive it.
  explicit UnreadFields(std::span<const std::string_view> paths = {});
  UnreadFields(const UnreadFields&) = delete;
  UnreadFields& operator=(const UnreadFields&) = delete;

  /// As a watch event has them, with metadata.managedFields, which are never read.
  std::span<const codec::KeyPath> InWatchEvent() const { return paths_; }

 private:
  std::vector<std::vector<std::string_view>> keys_;
  std::vector<codec::KeyPath> paths_;
};
constexpr std::size_t kUnreadMax = codec::kLeftOutMax - 1;

/// The largest body of a response that is read. A server that sends more is no API server.
constexpr std::size_t kResponseBytesMax = 1u << 30;

/// An object as it stands, without defaults of ours: the server has set its own.
Result<ObjectPtr> ReadObject(std::string text);

/// A list of objects of the kind, whose items need not name it; an item of another kind is a fault.
/// Each item has a document of its own, so that keeping one does not keep them all; if `is_lean`, a
/// LeanCopy.
Result<api::ListPiece> ReadList(std::string text, const api::KindDesc& kind, bool is_lean = false);

/// A line of a watch of objects of the kind; its object comes without metadata.managedFields and
/// what is unread, and one that was deleted perhaps without spec, status and data. The refusal is
/// that of an ERROR event, or InternalError for what is no event or has an object of another kind.
api::Answer<WatchEvent> ReadWatchEvent(std::string line, const api::KindDesc& kind,
                                       const UnreadFields& unread);

/// A server's refusal: its Status where the body is one, or else what the code says by itself, in
/// upstream's words. `retry_after_seconds` of the details comes from the header where only that
/// has it.
api::StatusObject ReadRefusal(const net::ClientResponse& response);

/// The seconds of a Retry-After header.
std::optional<std::int32_t> ReadRetryAfter(const net::Headers& headers);

}  // namespace plimsoll::client
