#include "net/http1_parser.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/text/ascii.h"
#include "base/text/trim.h"
#include "net/limits.h"

namespace plimsoll::net {
namespace {

constexpr std::array<bool, 256> MakeTokenTable() {
  std::array<bool, 256> table{};
  for (const char c : std::string_view("!#$%&'*+-.^_`|~0123456789"
                                       "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")) {
    table[static_cast<unsigned char>(c)] = true;
  }
  return table;
}
constexpr std::array<bool, 256> kIsToken = MakeTokenTable();

bool IsToken(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](char c) { return kIsToken[static_cast<unsigned char>(c)]; });
}

bool IsFieldText(std::string_view text) {
  return std::ranges::all_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte >= ' ' && byte != 0x7f) || byte == '\t';
  });
}

bool EqualFold(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, ToLower, ToLower);
}

/// Removes and returns the first line, without its line end. REQUIRES: `text` is whole lines.
std::string_view ReadLine(std::string_view& text) {
  const std::size_t end = text.find("\r\n");
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end + 2);
  return line;
}

std::optional<std::uint64_t> ParseLength(std::string_view text) {
  std::uint64_t length = 0;
  // More digits could overflow in other programs.
  if (text.empty() || text.size() > 18) return std::nullopt;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    length = length * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return length;
}

/// Returns true if `word` is among the comma-separated words of all fields.
bool HasWord(const std::vector<std::string_view>& values, std::string_view word) {
  for (std::string_view value : values) {
    while (!value.empty()) {
      const std::size_t comma = std::min(value.find(','), value.size());
      if (EqualFold(TrimBlanks(value.substr(0, comma)), word)) return true;
      value.remove_prefix(std::min(comma + 1, value.size()));
    }
  }
  return false;
}

bool ParseHeaders(std::string_view text, Headers& headers, std::size_t& count) {
  for (std::string_view line = ReadLine(text); !line.empty(); line = ReadLine(text)) {
    const std::size_t colon = line.find(':');
    // Old HTTP continues the previous line with a leading blank; IsToken rejects that.
    if (colon == std::string_view::npos || !IsToken(line.substr(0, colon))) return false;
    const std::string_view value = TrimBlanks(line.substr(colon + 1));
    if (!IsFieldText(value)) return false;
    if (++count > kHeadersMax) return false;
    headers.Add(std::string(line.substr(0, colon)), std::string(value));
  }
  return true;
}

bool IsHost(std::string_view host) {
  return std::ranges::all_of(host, [](char c) {
    return kIsToken[static_cast<unsigned char>(c)] ||
           std::string_view("()[],:;=@").find(c) != std::string_view::npos;
  });
}

std::optional<HttpFault> ParseRequestLine(std::string_view line, RequestHead& head) {
  const std::size_t first = line.find(' ');
  const std::size_t last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) return HttpFault{};
  const std::string_view method = line.substr(0, first);
  const std::string_view target = line.substr(first + 1, last - first - 1);
  const std::string_view version = line.substr(last + 1);
  const bool is_plain = std::ranges::all_of(target, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte > ' ' && byte != 0x7f;
  });
  if (!IsToken(method) || target.empty() || !is_plain) return HttpFault{};
  if (version != "HTTP/1.1" && version != "HTTP/1.0") {
    const bool is_version = version.size() == 8 && version.starts_with("HTTP/") &&
                            version[6] == '.' && ParseLength(version.substr(5, 1)) &&
                            ParseLength(version.substr(7, 1));
    if (!is_version) return HttpFault{};
    return HttpFault{505, "unsupported protocol version"};
  }
  head.is_http_1_0 = version == "HTTP/1.0";
  head.request.method = method;
  head.request.target = target;
  return std::nullopt;
}

/// Determines the length of the body from Transfer-Encoding or Content-Length.
std::optional<HttpFault> FrameRequest(RequestHead& head) {
  const Headers& headers = head.request.headers;
  const std::vector<std::string_view> encodings = headers.FindAll("Transfer-Encoding");
  const std::vector<std::string_view> lengths = headers.FindAll("Content-Length");
  if (encodings.size() + lengths.size() > 1) return HttpFault{};
  if (!encodings.empty()) {
    if (head.is_http_1_0) return HttpFault{};
    if (!EqualFold(encodings.front(), "chunked")) {
      return HttpFault{501, "Unsupported transfer encoding"};
    }
    head.is_chunked = true;
  }
  if (!lengths.empty()) {
    const std::optional<std::uint64_t> length = ParseLength(lengths.front());
    if (!length) return HttpFault{};
    head.content_length = *length;
  }
  return std::nullopt;
}

}  // namespace

HeadScanner::Outcome HeadScanner::Scan(std::string_view text) {
  while (true) {
    const std::size_t end = text.find('\n', seen_);
    if (end == std::string_view::npos) {
      seen_ = text.size();
      return Outcome::More;
    }
    if (end == line_start_ || text[end - 1] != '\r') return Outcome::Broken;
    const bool is_empty = end == line_start_ + 1;
    // An empty line before the request.
    if (is_empty && line_start_ == 0) return Outcome::Broken;
    line_start_ = seen_ = end + 1;
    if (is_empty) return Outcome::Found;
  }
}

std::expected<RequestHead, HttpFault> ParseRequestHead(std::string_view text) {
  RequestHead head;
  if (const auto fault = ParseRequestLine(ReadLine(text), head)) return std::unexpected(*fault);
  std::size_t count = 0;
  if (!ParseHeaders(text, head.request.headers, count)) {
    return std::unexpected(HttpFault{count > kHeadersMax ? 431 : 400, ""});
  }
  const Headers& headers = head.request.headers;
  const std::vector<std::string_view> hosts = headers.FindAll("Host");
  if (hosts.empty() && !head.is_http_1_0) {
    return std::unexpected(HttpFault{400, "missing required Host header"});
  }
  if (hosts.size() > 1) return std::unexpected(HttpFault{400, "too many Host headers"});
  if (!hosts.empty() && !IsHost(hosts.front())) {
    return std::unexpected(HttpFault{400, "malformed Host header"});
  }
  if (const auto fault = FrameRequest(head)) return std::unexpected(*fault);
  const std::vector<std::string_view> connection = headers.FindAll("Connection");
  head.keeps_alive =
      !HasWord(connection, "close") && (!head.is_http_1_0 || HasWord(connection, "keep-alive"));
  if (const std::string_view expect = headers.Find("Expect"); !expect.empty()) {
    if (!EqualFold(expect, "100-continue")) return std::unexpected(HttpFault{417, ""});
    head.expects_continue = !head.is_http_1_0;
  }
  return head;
}

std::optional<ResponseHead> ParseResponseHead(std::string_view text) {
  ResponseHead head;
  const std::string_view line = ReadLine(text);
  const bool is_1_1 = line.starts_with("HTTP/1.1 ");
  if (!is_1_1 && !line.starts_with("HTTP/1.0 ")) return std::nullopt;
  const std::optional<std::uint64_t> status = ParseLength(line.substr(9, 3));
  if (!status || *status < 100 || (line.size() > 12 && line[12] != ' ')) return std::nullopt;
  head.status = static_cast<int>(*status);
  std::size_t count = 0;
  if (!ParseHeaders(text, head.headers, count)) return std::nullopt;
  const std::vector<std::string_view> lengths = head.headers.FindAll("Content-Length");
  const std::vector<std::string_view> encodings = head.headers.FindAll("Transfer-Encoding");
  if (lengths.size() + encodings.size() > 1) return std::nullopt;
  if (!encodings.empty()) {
    if (!EqualFold(encodings.front(), "chunked")) return std::nullopt;
    head.is_chunked = true;
  }
  if (!lengths.empty()) {
    head.content_length = ParseLength(lengths.front());
    if (!head.content_length) return std::nullopt;
  }
  const std::vector<std::string_view> connection = head.headers.FindAll("Connection");
  head.keeps_alive = !HasWord(connection, "close") && (is_1_1 || HasWord(connection, "keep-alive"));
  return head;
}

/// Appends to line_, without the line end.
ChunkDecoder::Outcome ChunkDecoder::ReadLine(std::string_view& in) {
  const std::size_t end = in.find('\n');
  line_.append(in.substr(0, end));
  in.remove_prefix(end == std::string_view::npos ? in.size() : end + 1);
  if (line_.size() > kChunkLineBytesMax) return Outcome::Broken;
  if (end == std::string_view::npos) return Outcome::More;
  if (!line_.ends_with('\r')) return Outcome::Broken;
  line_.pop_back();
  return IsFieldText(line_) ? Outcome::Done : Outcome::Broken;
}

bool ChunkDecoder::ReadSizeLine() {
  const std::size_t digits = std::min(line_.find(';'), line_.size());
  overhead_ += line_.size() - digits;
  // Reject blanks before the extension: some parsers accept them and some do not.
  if (digits == 0 || digits > 15) return false;
  const auto [stop, error] = std::from_chars(line_.data(), line_.data() + digits, left_, 16);
  return error == std::errc{} && stop == line_.data() + digits &&
         overhead_ <= kChunkOverheadBytesMax;
}

ChunkDecoder::Outcome ChunkDecoder::Decode(std::string_view& in, std::string& out,
                                           std::size_t size_max) {
  while (state_ != State::Done) {
    if (state_ == State::Data) {
      const std::size_t size = std::min<std::uint64_t>(left_, in.size());
      out.append(in.substr(0, size));
      in.remove_prefix(size);
      left_ -= size;
      if (left_ > 0) return Outcome::More;
      state_ = State::DataEnd;
      continue;
    }
    const Outcome outcome = ReadLine(in);
    if (outcome != Outcome::Done) return outcome;
    if (state_ == State::SizeLine) {
      if (!ReadSizeLine()) return Outcome::Broken;
      if (left_ > size_max - std::min(size_max, out.size())) return Outcome::TooLarge;
      state_ = left_ > 0 ? State::Data : State::Trailer;
    } else if (state_ == State::DataEnd) {
      if (!line_.empty()) return Outcome::Broken;
      state_ = State::SizeLine;
    } else if (line_.empty()) {
      state_ = State::Done;
    } else {
      overhead_ += line_.size();
      const std::size_t colon = line_.find(':');
      if (colon == std::string::npos || !IsToken(std::string_view(line_).substr(0, colon)) ||
          overhead_ > kChunkOverheadBytesMax) {
        return Outcome::Broken;
      }
    }
    line_.clear();
  }
  return Outcome::Done;
}

}  // namespace plimsoll::net
