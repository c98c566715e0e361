#include "net/outbox.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "net/http1_writer.h"

namespace plimsoll::net {
namespace {

// A body up to this size is sent in one piece with its head.
constexpr std::size_t kCopiedSizeMax = 16u << 10;
constexpr std::size_t kRefillSize = 64u << 10;
// After this many bytes a connection lets others have a turn.
constexpr std::uint64_t kTurnSize = 512u << 10;
// Space for a chunk's size in hex and its line end.
constexpr std::size_t kChunkHeadSize = 18;

}  // namespace

void Outbox::Add(Bytes body) {
  if (body->size() <= kCopiedSizeMax && !text_.empty()) {
    text_ += *body;
  } else {
    body_ = std::move(body);
    body_start_ = 0;
  }
}

void Outbox::Add(std::unique_ptr<BodySource> source, bool is_chunked) {
  source_ = std::move(source);
  is_chunked_ = is_chunked;
}

/// Reads the next part of the body. The chunk's head is written right before its text once the size
/// is known, so that no bytes are moved.
void Outbox::Refill() {
  text_.assign(is_chunked_ ? kChunkHeadSize : 0, ' ');
  start_ = text_.size();
  bool has_more = true;
  while (has_more && text_.size() < kRefillSize) has_more = source_->Read(text_);
  if (!has_more) source_ = nullptr;
  if (!is_chunked_) return;
  if (text_.size() > start_) {
    char digits[kChunkHeadSize];
    const auto [end, error] =
        std::to_chars(digits, digits + kChunkHeadSize - 2, text_.size() - start_, 16);
    const std::string_view size(digits, static_cast<std::size_t>(end - digits));
    text_.replace(start_ - 2, 2, "\r\n");
    text_.replace(start_ - 2 - size.size(), size.size(), size);
    start_ -= 2 + size.size();
    text_ += "\r\n";
  }
  if (!has_more) text_ += kLastChunk;
}

void Outbox::Advance(std::size_t bytes) {
  sent_ += bytes;
  const std::size_t of_text = std::min(bytes, text_.size() - start_);
  start_ += of_text;
  body_start_ += bytes - of_text;
  if (body_ != nullptr && body_start_ == body_->size()) body_ = nullptr;
  if (start_ == text_.size()) {
    text_.clear();
    start_ = 0;
  }
}

Outbox::Outcome Outbox::Flush(Channel& channel) {
  const std::uint64_t turn_end = sent_ + kTurnSize;
  while (!empty()) {
    if (sent_ >= turn_end) return Outcome::Yield;
    if (is_text() && start_ == text_.size()) return Outcome::Empty;
    if (start_ == text_.size() && body_ == nullptr) {
      Refill();
      continue;  // the source may have ended
    }
    const std::string_view text = std::string_view(text_).substr(start_);
    const std::string_view body =
        body_ != nullptr ? std::string_view(*body_).substr(body_start_) : std::string_view();
    const Channel::Transfer transfer = channel.Write(text, body);
    if (transfer.outcome == Channel::Outcome::Done) {
      Advance(transfer.bytes);
    } else if (transfer.outcome == Channel::Outcome::WantWrite ||
               transfer.outcome == Channel::Outcome::WantRead) {
      return Outcome::Full;
    } else {
      return Outcome::Broken;
    }
  }
  return Outcome::Empty;
}

void Outbox::Shrink() {
  if (empty()) text_ = {};
}

}  // namespace plimsoll::net
