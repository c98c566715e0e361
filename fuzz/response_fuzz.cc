// Parses the response of a hostile server: head, chunked body. The result must not depend on how
// the bytes are split. The same bytes, compressed by our gzip, must inflate to themselves.

#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "apiserver/limits.h"
#include "base/assert.h"
#include "cost_bound.h"
#include "net/gzip.h"
#include "net/http1_parser.h"

namespace {

using plimsoll::net::ChunkDecoder;
using plimsoll::net::HeadScanner;

struct Decoded {
  ChunkDecoder::Outcome outcome = ChunkDecoder::Outcome::More;
  std::string body;

  friend bool operator==(const Decoded&, const Decoded&) = default;
};

Decoded DecodeInSteps(std::string_view text, std::size_t step) {
  constexpr std::size_t kBodyBytesMax = 1u << 20;
  Decoded result;
  ChunkDecoder decoder;
  while (!text.empty() && result.outcome == ChunkDecoder::Outcome::More) {
    std::string_view part = text.substr(0, step);
    const std::size_t size = part.size();
    result.outcome = decoder.Decode(part, result.body, kBodyBytesMax);
    text.remove_prefix(size - part.size());
  }
  PL_ASSERT(result.body.size() <= kBodyBytesMax);
  return result;
}

void CheckResponse(std::string_view text) {
  HeadScanner scanner;
  if (scanner.Scan(text) != HeadScanner::Outcome::Found) return;
  const auto head = plimsoll::net::ParseResponseHead(text.substr(0, scanner.size()));
  if (!head) return;
  PL_ASSERT(head->status >= 100 && head->status <= 999);
  PL_ASSERT(!head->is_chunked || !head->content_length.has_value());
  for (const auto& [name, value] : head->headers) {
    PL_ASSERT(!name.empty());
    PL_ASSERT(value.find_first_of(std::string_view("\r\n\0", 3)) == std::string::npos);
  }
  if (!head->is_chunked) return;
  const std::string_view body = text.substr(scanner.size());
  const Decoded whole = DecodeInSteps(body, std::max<std::size_t>(body.size(), 1));
  PL_ASSERT(whole == DecodeInSteps(body, 1));
  PL_ASSERT(whole == DecodeInSteps(body, 7));
}

std::string Inflated(std::string_view packed, std::size_t size_max) {
  std::string out(size_max + 1, '\0');
  z_stream stream{};
  constexpr int kGzipWindow = 15 + 16;
  PL_ASSERT(inflateInit2(&stream, kGzipWindow) == Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  PL_ASSERT(inflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return out;
}

void CheckGzip(std::string_view text) {
  static_cast<void>(plimsoll::net::AcceptsGzip(text));
  const auto source =
      plimsoll::net::Gzip(plimsoll::net::SourceOf(plimsoll::MakeBytes(std::string(text))));
  std::string packed;
  while (source->Read(packed)) {
  }
  PL_ASSERT(packed.size() <= text.size() + text.size() / 8 + 64);
  PL_ASSERT(Inflated(packed, text.size()) == text);
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const plimsoll::fuzz::CostBound bound(size);
  CheckResponse(text);
  CheckGzip(text);
  return 0;
}
