#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "client/client.h"
#include "net/client.h"

namespace plimsoll::client {

/// Turns the pieces of a watch, however they are cut, into events. From a server in the same
/// process nothing is parsed but bookmarks and errors.
class WatchReader final : public net::StreamReceiver {
 public:
  /// `unread` as of WatchOptions.
  explicit WatchReader(WatchSink& sink, std::span<const std::string_view> unread = {})
      : sink_(sink), unread_(unread) {}

  bool OnHead(int status, const net::Headers& headers) override;
  bool OnPiece(net::Piece piece) override;

  /// After the last piece: what the server refused with, if it did.
  std::optional<api::StatusObject> Finish();

 private:
  /// False: hang up.
  bool Deliver(std::string line);

  WatchSink& sink_;
  const UnreadFields unread_;
  net::ClientResponse refused_;  // gathered when the status is no success
  std::string pending_;          // the beginning of a line
  std::optional<api::StatusObject> refusal_;
};

}  // namespace plimsoll::client
