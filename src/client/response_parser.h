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
#include "api/watch_event.h"
#include "client/limits.h"
#include "codec/json.h"
#include "net/client.h"

/// Parses what a server sends.
namespace plimsoll::client {

using ObjectPtr = std::shared_ptr<const api::Object>;

/// Fields (objects and lists) that nobody reads, so that the parser skips them.
class UnreadFields {
 public:
  /// Paths are dotted from the object's root, `spec.containers`; at most kUnreadMax. The texts must
  /// outlive this object.
  explicit UnreadFields(std::span<const std::string_view> paths = {});
  UnreadFields(const UnreadFields&) = delete;
  UnreadFields& operator=(const UnreadFields&) = delete;

  /// Paths within a watch event, including metadata.managedFields, which is never read.
  std::span<const codec::KeyPath> paths() const { return paths_; }

 private:
  std::vector<std::vector<std::string_view>> keys_;
  std::vector<codec::KeyPath> paths_;
};
constexpr std::size_t kUnreadMax = codec::kSkippedPathsMax - 1;

/// Parses an object without applying our defaults: the server has applied its own.
Result<ObjectPtr> ReadObject(std::string text);

/// Parses a list of objects of the kind. Items need not name the kind; an item of another kind is
/// an error. Each item has its own document, so that keeping one does not keep them all. With
/// `is_lean`, that is a LeanCopy.
Result<api::ObjectList> ReadList(std::string text, const api::KindDesc& kind, bool is_lean = false);

/// Parses a line of a watch of the kind. The object has no metadata.managedFields and no `unread`
/// fields; a deleted one may also lack spec, status and data. The error is that of an ERROR event,
/// or InternalError if the line is no event or has an object of another kind.
api::Answer<api::WatchEvent> ReadWatchEvent(std::string line, const api::KindDesc& kind,
                                            const UnreadFields& unread);

/// Reads a server's error: its Status if the body is one, otherwise a Status made from the code
/// with upstream's text. Takes `retry_after_seconds` from the header if the details do not have
/// it.
api::StatusObject ReadRefusal(const net::ClientResponse& response);

/// Returns the seconds of a Retry-After header.
std::optional<std::int32_t> ReadRetryAfter(const net::Headers& headers);

}  // namespace plimsoll::client
