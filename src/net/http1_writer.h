#pragma once

#include <string>
#include <string_view>

#include "net/http.h"
#include "net/http1_parser.h"

namespace plimsoll::net {

/// `Not Found`; empty for numbers that mean nothing.
std::string_view StatusName(int status);

/// How the other side is to know where the body ends.
enum class Framing : std::uint8_t { None, Length, Chunked, UntilClose };

struct ResponseLine {
  int status = 200;
  Framing framing = Framing::None;
  std::uint64_t length = 0;
  bool keeps_alive = true;
  bool is_http_1_0 = false;
  std::string_view date;  // empty: not told
};

/// Appends the head of a response, with its empty line. What would let a value end its line early
/// is made a blank.
void AppendHead(std::string& out, const ResponseLine& line, const Headers& headers);

void AppendChunk(std::string& out, std::string_view text);
/// What AppendChunk adds to the text, at most.
inline constexpr std::size_t kChunkFramingSizeMax = 20;
inline constexpr std::string_view kLastChunk = "0\r\n\r\n";

/// All that is sent for bytes that are no request, as Go's server does.
std::string FaultResponse(const HttpFault& fault);

/// `Sun, 06 Nov 1994 08:49:37 GMT`.
std::string FormatHttpDate(Instant time);

}  // namespace plimsoll::net
