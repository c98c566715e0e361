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
  /// Reads a watch of `kind`, which must outlive the reader. See WatchOptions for `unread`.
  WatchReader(WatchSink& sink, const api::KindDesc& kind,
              std::span<const std::string_view> unread = {})
      : sink_(sink), kind_(kind), unread_(unread) {}

  bool OnHead(int status, const net::Headers& headers) override;
  bool OnPiece(net::Piece piece) override;

  /// After the last piece: what the server refused with, if it did.
  std::optional<api::StatusObject> Finish();

 private:
  /// False: hang up.
  bool Deliver(std::string line);

  WatchSink& sink_;
  const api::KindDesc& kind_;
  const UnreadFields unread_;
  net::ClientResponse refused_;  // gathered when the status is no success
  std::string pending_;          // the beginning of a line
  std::optional<api::StatusObject> refusal_;
};

}  // namespace plimsoll::client
