#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "client/client.h"
#include "net/client.h"

namespace plimsoll::client {

/// Converts the pieces of a watch, cut at any byte, to events. With a server in the same process,
/// only bookmarks and errors are parsed.
class WatchReader final : public net::StreamReceiver {
 public:
  /// Reads a watch of `kind`, which must outlive the reader. See WatchOptions for `unread`.
  WatchReader(WatchSink& sink, const api::KindDesc& kind,
              std::span<const std::string_view> unread = {})
      : sink_(sink), kind_(kind), unread_(unread) {}

  bool OnHead(int status, const net::Headers& headers) override;
  bool OnPiece(net::Piece piece) override;

  /// Call it after the last piece. Returns the server's error, if any.
  std::optional<api::StatusObject> Finish();

 private:
  /// Returns false to end the watch.
  bool Deliver(std::string line);

  WatchSink& sink_;
  const api::KindDesc& kind_;
  const UnreadFields unread_;
  net::ClientResponse refused_;  // error response, collected if the status is no success
  std::string pending_;          // the start of an incomplete line
  std::optional<api::StatusObject> refusal_;
};

}  // namespace plimsoll::client
