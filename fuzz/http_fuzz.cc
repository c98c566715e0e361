// Parses HTTP requests. The result must not depend on how the bytes are split. A request that
// is accepted must be the same after it was written out and parsed again.
//
// Input: a byte that chooses the size of the parts, then the bytes of a connection.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "base/assert.h"
#include "cost_bound.h"
#include "net/http1_parser.h"

namespace plimsoll::net {
namespace {

std::string Write(const RequestHead& head) {
  std::string text = head.request.method + " " + head.request.target +
                     (head.is_http_1_0 ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n");
  for (const auto& [name, value] : head.request.headers) text += name + ": " + value + "\r\n";
  return text + "\r\n";
}

void CheckHead(const RequestHead& head) {
  PL_ASSERT(!head.is_chunked || head.content_length == 0);
  PL_ASSERT(head.request.target.find_first_of(std::string_view(" \r\n\t\0", 5)) ==
            std::string::npos);
  for (const auto& [name, value] : head.request.headers) {
    PL_ASSERT(!name.empty() && name.find_first_of(": \t\r\n") == std::string::npos);
    PL_ASSERT(value.find_first_of(std::string_view("\r\n\0", 3)) == std::string::npos);
  }
  const std::string text = Write(head);
  const auto again = ParseRequestHead(text);
  PL_ASSERT(again.has_value());
  PL_ASSERT(Write(*again) == text);
  PL_ASSERT(again->is_chunked == head.is_chunked && again->keeps_alive == head.keeps_alive &&
            again->content_length == head.content_length);
}

struct Decoded {
  ChunkDecoder::Outcome outcome = ChunkDecoder::Outcome::More;
  std::string body;
  std::size_t left = 0;

  friend bool operator==(const Decoded&, const Decoded&) = default;
};

Decoded Decode(std::string_view text, std::size_t step, std::size_t size_max) {
  Decoded result;
  ChunkDecoder decoder;
  while (!text.empty() && result.outcome == ChunkDecoder::Outcome::More) {
    const std::size_t size = std::min(step, text.size());
    std::string_view part = text.substr(0, size);
    result.outcome = decoder.Decode(part, result.body, size_max);
    text.remove_prefix(size - part.size());
    // A decoder that wants more has consumed everything.
    if (result.outcome == ChunkDecoder::Outcome::More) PL_ASSERT(part.empty());
  }
  result.left = text.size();
  PL_ASSERT(result.body.size() <= size_max);
  return result;
}

void CheckRequest(std::string_view text, std::size_t step) {
  HeadScanner whole;
  const HeadScanner::Outcome outcome = whole.Scan(text);
  HeadScanner parts;
  HeadScanner::Outcome by_parts = HeadScanner::Outcome::More;
  for (std::size_t end = 0; end < text.size() && by_parts == HeadScanner::Outcome::More;) {
    end = std::min(end + step, text.size());
    by_parts = parts.Scan(text.substr(0, end));
  }
  PL_ASSERT(text.empty() || outcome == by_parts);
  if (outcome != HeadScanner::Outcome::Found) return;
  PL_ASSERT(whole.size() == parts.size());
  const auto head = ParseRequestHead(text.substr(0, whole.size()));
  static_cast<void>(ParseResponseHead(text.substr(0, whole.size())));
  if (!head.has_value()) return;
  CheckHead(*head);
  static_cast<void>(ParseTarget(head->request.target));
  const std::string_view body = text.substr(whole.size());
  if (!head->is_chunked) return;
  const Decoded at_once = Decode(body, std::numeric_limits<std::size_t>::max(), 1000);
  const Decoded in_parts = Decode(body, step, 1000);
  PL_ASSERT(at_once.outcome == in_parts.outcome && at_once.body == in_parts.body);
  if (at_once.outcome == ChunkDecoder::Outcome::Done) PL_ASSERT(at_once == in_parts);
}

}  // namespace
}  // namespace plimsoll::net

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  const plimsoll::fuzz::CostBound bound(size);
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  plimsoll::net::CheckRequest(text.substr(1), bytes[0] % 64 + 1);
  return 0;
}
