#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "net/channel.h"
#include "net/http.h"

namespace plimsoll::net {

/// Send buffer of a connection: a text, then a body that is complete or produced while it is sent.
class Outbox {
 public:
  enum class Outcome : std::uint8_t {
    Empty,  // everything is sent
    Full,   // wait until the socket is writable
    Yield,  // there is more, but other connections take a turn
    Broken,
  };

  /// Text to send first. May be appended to while there is no body.
  std::string& text() { return text_; }
  void Add(Bytes body);
  void Add(std::unique_ptr<BodySource> source, bool is_chunked);

  bool empty() const { return start_ == text_.size() && body_ == nullptr && source_ == nullptr; }
  /// True if only text is left, so that more text may follow.
  bool is_text() const { return body_ == nullptr && source_ == nullptr; }
  /// Total number of bytes sent.
  std::uint64_t sent() const { return sent_; }

  Outcome Flush(Channel& channel);
  /// Frees the memory of an empty outbox.
  void Shrink();

 private:
  void Refill();
  void Advance(std::size_t bytes);

  std::string text_;
  std::size_t start_ = 0;  // start of the unsent text
  Bytes body_;
  std::size_t body_start_ = 0;
  std::unique_ptr<BodySource> source_;
  bool is_chunked_ = false;
  std::uint64_t sent_ = 0;
};

}  // namespace plimsoll::net
