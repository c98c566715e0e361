#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "net/channel.h"
#include "net/http.h"

namespace plimsoll::net {

/// What a connection has yet to send: a text, then a body that is whole or made on the way.
class Outbox {
 public:
  enum class Outcome : std::uint8_t {
    Empty,  // all is sent
    Full,   // wait until the socket takes more
    Tired,  // there is more, but others want their turn
    Broken,
  };

  /// What goes first; to be appended to while there is no body.
  std::string& text() { return text_; }
  void Add(Bytes body);
  void Add(std::unique_ptr<BodySource> source, bool is_chunked);

  bool empty() const { return start_ == text_.size() && body_ == nullptr && source_ == nullptr; }
  /// Whether only text is left, behind which other text may stand.
  bool is_text() const { return body_ == nullptr && source_ == nullptr; }
  /// Grows with every byte that the socket has taken.
  std::uint64_t sent() const { return sent_; }

  Outcome Flush(Channel& channel);
  /// Gives back the memory of an outbox that is empty.
  void Shrink();

 private:
  void Refill();
  void Advance(std::size_t bytes);

  std::string text_;
  std::size_t start_ = 0;  // of what is left of the text
  Bytes body_;
  std::size_t body_start_ = 0;
  std::unique_ptr<BodySource> source_;
  bool is_chunked_ = false;
  std::uint64_t sent_ = 0;
};

}  // namespace plimsoll::net
