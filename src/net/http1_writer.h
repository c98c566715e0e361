#pragma once

#include <string>
#include <string_view>

#include "net/http.h"
#include "net/http1_parser.h"

namespace plimsoll::net {

/// Method by which the end of a body is marked.
enum class Framing : std::uint8_t { None, Length, Chunked, UntilClose };

struct ResponseLine {
  int status = 200;
  Framing framing = Framing::None;
  std::uint64_t length = 0;
  bool keeps_alive = true;
  bool is_http_1_0 = false;
  std::string_view date;  // empty: no Date header
};

/// Appends the head of a response, including its empty line. Characters that would end a value's
/// line become blanks.
void AppendHead(std::string& out, const ResponseLine& line, const Headers& headers);

void AppendChunk(std::string& out, std::string_view text);
/// Maximum number of bytes that AppendChunk adds to the text.
inline constexpr std::size_t kChunkFramingSizeMax = 20;
inline constexpr std::string_view kLastChunk = "0\r\n\r\n";

/// Returns the whole response to bytes that are no request, as Go's server sends it.
std::string FaultResponse(const HttpFault& fault);

/// Formats as `Sun, 06 Nov 1994 08:49:37 GMT`.
std::string FormatHttpDate(Instant time);

}  // namespace plimsoll::net
