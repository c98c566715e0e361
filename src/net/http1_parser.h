#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "net/http.h"
#include "net/limits.h"

/// Strict parser of HTTP/1.1: it rejects every message on whose end two readers could disagree. So
/// a client cannot make a proxy in front of us see other requests than we do (request
/// smuggling).
namespace plimsoll::net {

/// Error for bytes that are no request. The text is Go's: the name of the status, and for some
/// faults the reason.
struct HttpFault {
  int status = 400;
  std::string detail;

  friend bool operator==(const HttpFault&, const HttpFault&) = default;
};

/// Finds the end of a head while bytes arrive.
class HeadScanner {
 public:
  enum class Outcome : std::uint8_t { More, Found, Broken };
  /// `text` begins with the head and is longer at each call.
  Outcome Scan(std::string_view text);
  /// Size of the head, including the empty line. Valid after Found.
  std::size_t size() const { return line_start_; }
  void Reset() { *this = HeadScanner(); }

 private:
  std::size_t line_start_ = 0;
  std::size_t seen_ = 0;
};

struct RequestHead {
  Request request;
  bool is_http_1_0 = false;
  bool keeps_alive = true;
  bool expects_continue = false;
  bool is_chunked = false;
  std::uint64_t content_length = 0;
};

/// Parses a whole head, including its empty line.
std::expected<RequestHead, HttpFault> ParseRequestHead(std::string_view text);

struct ResponseHead {
  int status = 0;
  Headers headers;
  bool keeps_alive = true;
  bool is_chunked = false;
  std::optional<std::uint64_t> content_length;
};

/// Returns nullopt if the head is invalid.
std::optional<ResponseHead> ParseResponseHead(std::string_view text);

/// Decodes a chunked body while it arrives.
class ChunkDecoder {
 public:
  enum class Outcome : std::uint8_t { More, Done, TooLarge, Broken };
  /// Takes bytes from the front of `in` and appends to `out`, up to `size_max`.
  Outcome Decode(std::string_view& in, std::string& out, std::size_t size_max);

 private:
  enum class State : std::uint8_t { SizeLine, Data, DataEnd, Trailer, Done };

  Outcome ReadLine(std::string_view& in);
  bool ReadSizeLine();

  State state_ = State::SizeLine;
  std::string line_;
  std::uint64_t left_ = 0;    // bytes left in the current chunk
  std::size_t overhead_ = 0;  // bytes of extensions and trailers, which are limited
};

}  // namespace plimsoll::net
