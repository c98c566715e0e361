#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "net/http.h"

/// HTTP/1.1 as it stands on the wire, read strictly: where two readers could disagree on where a
/// message ends, it is refused. So a proxy before us cannot be made to see other requests than we
/// do.
namespace plimsoll::net {

/// What a client is told whose bytes make no request. The text is Go's: the status' name, and for
/// some faults what is wrong.
struct HttpFault {
  int status = 400;
  std::string detail;

  friend bool operator==(const HttpFault&, const HttpFault&) = default;
};

/// Looks for the end of a head as bytes come in.
class HeadScanner {
 public:
  enum class Outcome : std::uint8_t { More, Found, Broken };
  /// `text` begins with the head and is longer at each call.
  Outcome Scan(std::string_view text);
  /// Of the head, with the empty line, once found.
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

inline constexpr std::size_t kHeadersMax = 256;

/// Of a whole head, with its empty line.
std::expected<RequestHead, HttpFault> ParseRequestHead(std::string_view text);

struct ResponseHead {
  int status = 0;
  Headers headers;
  bool keeps_alive = true;
  bool is_chunked = false;
  std::optional<std::uint64_t> content_length;
};

/// Nothing when it makes no sense.
std::optional<ResponseHead> ParseResponseHead(std::string_view text);

/// Takes a chunked body apart as it comes.
class ChunkDecoder {
 public:
  enum class Outcome : std::uint8_t { More, Done, TooLarge, Broken };
  /// Takes from the front of `in`, appends to `out`, which is not to grow beyond `size_max`.
  Outcome Decode(std::string_view& in, std::string& out, std::size_t size_max);

 private:
  enum class State : std::uint8_t { SizeLine, Data, DataEnd, Trailer, Done };

  Outcome TakeLine(std::string_view& in);
  bool ReadSizeLine();

  State state_ = State::SizeLine;
  std::string line_;
  std::uint64_t left_ = 0;    // of the current chunk
  std::size_t overhead_ = 0;  // extensions and trailers, of which nobody needs much
};

}  // namespace plimsoll::net
