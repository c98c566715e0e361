#include "client/watch_reader.h"

#include <string_view>
#include <utility>

#include "api/watch_event.h"
#include "client/limits.h"

namespace plimsoll::client {
namespace {

bool IsSuccess(int status) { return status >= 200 && status < 300; }

}  // namespace

bool WatchReader::OnHead(int status, const net::Headers& headers) {
  refused_.status = status;
  refused_.headers = headers;
  return true;
}

bool WatchReader::OnPiece(net::Piece piece) {
  if (!IsSuccess(refused_.status)) {
    if (piece.text != nullptr) refused_.body += *piece.text;
    return refused_.body.size() < kWatchLineBytesMax;
  }
  if (const auto* const event = FindPayload<api::WatchEvent>(piece.payload)) {
    return sink_.OnEvent(*event);
  }
  if (piece.text == nullptr) return true;
  std::string_view text = *piece.text;
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    pending_ += text.substr(0, end);
    text.remove_prefix(end + 1);
    std::string line = std::exchange(pending_, {});
    if (!line.empty() && !Deliver(std::move(line))) return false;
  }
  pending_ += text;
  if (pending_.size() <= kWatchLineBytesMax) return true;
  refusal_ = api::InternalError("an event of the watch is too long");
  return false;
}

bool WatchReader::Deliver(std::string line) {
  api::Answer<api::WatchEvent> event = ReadWatchEvent(std::move(line), kind_, unread_);
  if (event) return sink_.OnEvent(*std::move(event));
  refusal_ = std::move(event).error();
  return false;
}

std::optional<api::StatusObject> WatchReader::Finish() {
  if (refused_.status != 0 && !IsSuccess(refused_.status)) return ReadRefusal(refused_);
  return std::move(refusal_);
}

}  // namespace plimsoll::client
