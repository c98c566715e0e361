#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "net/http1_parser.h"

namespace plimsoll::net {

/// Takes the body of one request from the front of the received bytes.
class Http1Body {
 public:
  enum class Outcome : std::uint8_t { More, Done, TooLarge, Broken };

  /// No body.
  Http1Body() = default;
  explicit Http1Body(const RequestHead& head)
      : is_chunked_(head.is_chunked),
        is_whole_(!head.is_chunked && head.content_length == 0),
        left_(head.content_length) {}

  /// Returns true if the whole body has been taken.
  bool is_whole() const { return is_whole_; }
  /// Number of bytes known to be missing; 0 for a chunked body.
  std::uint64_t left() const { return left_; }

  /// Moves bytes of the body from the front of `in` to the end of `out`. Returns TooLarge before
  /// `out` grows beyond `size_max`.
  Outcome Read(std::string& in, std::string& out, std::size_t size_max);

  /// Removes bytes of the body from the front of `in`. Returns TooLarge if the body has more than
  /// `size_max` bytes to discard.
  Outcome Discard(std::string& in, std::size_t size_max);

 private:
  Outcome ReadChunks(std::string& in, std::string& out, std::size_t size_max);

  bool is_chunked_ = false;
  bool is_whole_ = true;
  std::uint64_t left_ = 0;
  std::size_t discarded_ = 0;
  ChunkDecoder chunks_;
};

}  // namespace plimsoll::net
