// A recursive-descent parser in one pass. Texts without escapes are views into the source, which
// the document owns. All values go through the TreeBuilder. The source ends in a NUL, which no rule
// accepts, so that reading the next byte needs no check for the end.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/assert.h"
#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "codec/json.h"
#include "codec/text_scan.h"
#include "codec/tree_builder.h"

namespace plimsoll::codec {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool IsSurrogate(char32_t point) { return point >= 0xD800 && point < 0xE000; }

/// Methods return false after an error; `error` then says what and where.
class JsonParser {
 public:
  JsonParser(Document& document, std::string_view source, const ParseLimits& limits,
             std::span<const KeyPath> skipped)
      : document_(document),
        builder_(document),
        limits_(limits),
        skipped_(skipped),
        begin_(source.data()),
        at_(source.data()),
        end_(source.data() + source.size()) {}

  Status Parse() {
    builder_.Item();
    SkipBlanks();
    if (!ParseValue()) return Failure();
    SkipBlanks();
    if (at_ != end_) {
      Expected("the end of the text after the value");
      return Failure();
    }
    builder_.Finish();
    document_.root() = builder_.begun();
    return {};
  }

 private:
  void SkipBlanks() {
    while (static_cast<unsigned char>(*at_) <= ' ') {
      if (*at_ == '\n') {
        ++line_;
      } else if (*at_ != ' ' && *at_ != '\t' && *at_ != '\r') {
        return;
      }
      ++at_;
    }
  }

  /// Fills the entry that was begun last.
  bool ParseValue() {
    if (++values_ > limits_.values_max) {
      return Wrong(fmt::format("more than {} values", limits_.values_max));
    }
    const std::uint32_t line = line_;
    switch (*at_) {
      case '{':
        return ParseObject();
      case '[':
        return ParseArray();
      case '"': {
        std::string_view text;
        if (!ParseText(text)) return false;
        builder_.Fill(Value::String(text));
        break;
      }
      case 't':
        if (!Literal("true", Value::Bool(true))) return false;
        break;
      case 'f':
        if (!Literal("false", Value::Bool(false))) return false;
        break;
      case 'n':
        if (!Literal("null", Value::Null())) return false;
        break;
      default:
        if (*at_ != '-' && !IsDigit(*at_)) return Expected("a value");
        if (!ParseNumber()) return false;
        break;
    }
    builder_.begun().set_line(line);
    return true;
  }

  bool Open(Value::Kind kind) {
    if (builder_.depth() >= limits_.depth_max) {
      return Wrong(fmt::format("nested deeper than {} levels", limits_.depth_max));
    }
    builder_.Open(kind, line_);
    ++at_;
    SkipBlanks();
    return true;
  }

  bool Close() {
    ++at_;
    builder_.Fill(builder_.Close());
    return true;
  }

  bool ParseObject() {
    if (!Open(Value::Kind::Object)) return false;
    if (*at_ == '}') return Close();
    if (*at_ != '"') return Expected("a key or '}'");
    while (true) {
      const auto offset = static_cast<std::uint32_t>(at_ - begin_);
      std::string_view key;
      if (!ParseText(key)) return false;
      SkipBlanks();
      if (*at_ != ':') return Expected("':' after a key");
      ++at_;
      SkipBlanks();
      if (!ParseMember(key, offset)) return false;
      SkipBlanks();
      if (*at_ == '}') return Close();
      if (*at_ != ',') return Expected("',' or '}' after a member");
      ++at_;
      SkipBlanks();
      if (*at_ != '"') return Expected("a key after ','");
    }
  }

  bool ParseMember(std::string_view key, std::uint32_t offset) {
    const std::size_t depth = builder_.depth();
    // Fast path for most members: the object is not on any path of `skipped`.
    if (depth > on_way_max_ + 1) {
      builder_.Key(key, offset);
      return ParseValue();
    }
    const std::size_t outer_max = on_way_max_;
    std::uint32_t advanced = 0;  // one bit per path
    for (std::size_t i = 0; i < skipped_.size(); ++i) {
      const KeyPath path = skipped_[i];
      if (matched_keys_[i] + 1 != depth || depth > path.size() || key != path[depth - 1]) continue;
      if (depth == path.size()) {
        if (*at_ != '{' && *at_ != '[') continue;
        Retreat(advanced, outer_max);
        return SkipContainer();
      }
      advanced |= 1u << i;
      ++matched_keys_[i];
      on_way_max_ = depth;
    }
    builder_.Key(key, offset);
    const bool is_good = ParseValue();
    Retreat(advanced, outer_max);
    return is_good;
  }

  void Retreat(std::uint32_t advanced, std::size_t on_way_max) {
    for (std::size_t i = 0; i < skipped_.size(); ++i) matched_keys_[i] -= advanced >> i & 1;
    on_way_max_ = on_way_max;
  }

  /// Skips an object or array; only strings and brackets are checked.
  bool SkipContainer() {
    std::size_t open = 0;
    do {
      switch (*at_) {
        case '{':
        case '[':
          ++open;
          break;
        case '}':
        case ']':
          --open;
          break;
        case '"':
          if (!SkipText()) return false;
          break;
        case '\n':
          ++line_;
          break;
        case '\0':
          return Expected("',' or a closing bracket");
        default:
          break;
      }
      ++at_;
    } while (open > 0);
    return true;
  }

  /// Moves from the opening quote to the closing one.
  bool SkipText() {
    ++at_;
    while (true) {
      at_ = FindSpecialByte(at_, end_);
      if (*at_ == '"') return true;
      at_ += *at_ == '\\' && at_ + 1 != end_ ? 2 : 1;
      if (at_ >= end_) break;
    }
    at_ = end_;
    return Expected("'\"' at the end of a string");
  }

  bool ParseArray() {
    if (!Open(Value::Kind::Array)) return false;
    if (*at_ == ']') return Close();
    while (true) {
      builder_.Item();
      if (!ParseValue()) return false;
      SkipBlanks();
      if (*at_ == ']') return Close();
      if (*at_ != ',') return Expected("',' or ']' after an item");
      ++at_;
      SkipBlanks();
    }
  }

  bool Literal(std::string_view word, Value meaning) {
    if (!Rest().starts_with(word)) return Expected("a value");
    at_ += word.size();
    builder_.Fill(meaning);
    return true;
  }

  bool ParseNumber() {
    const char* const start = at_;
    if (*at_ == '-') ++at_;
    if (*at_ == '0') {
      ++at_;
    } else if (!SkipDigits()) {
      return false;
    }
    bool is_whole = true;
    if (*at_ == '.') {
      ++at_;
      if (!SkipDigits()) return false;
      is_whole = false;
    }
    if (*at_ == 'e' || *at_ == 'E') {
      ++at_;
      if (*at_ == '+' || *at_ == '-') ++at_;
      if (!SkipDigits()) return false;
      is_whole = false;
    }
    const std::string_view text(start, static_cast<std::size_t>(at_ - start));
    std::int64_t whole = 0;
    // An Int would lose the sign of "-0".
    if (is_whole && text != "-0" && std::from_chars(start, at_, whole).ec == std::errc{}) {
      builder_.Fill(Value::Int(whole));
    } else {
      builder_.Fill(Value::Number(text));
    }
    return true;
  }

  bool SkipDigits() {
    if (!IsDigit(*at_)) return Expected("a digit");
    while (IsDigit(*at_)) ++at_;
    return true;
  }

  /// Parses from the opening quote to behind the closing one.
  bool ParseText(std::string_view& text) {
    const char* const start = ++at_;
    while (true) {
      at_ = FindSpecialByte(at_, end_);
      if (*at_ == '"') {
        text = {start, static_cast<std::size_t>(at_ - start)};
        ++at_;
        return true;
      }
      const std::size_t bytes = static_cast<signed char>(*at_) < 0 ? Utf8Bytes(Rest()) : 0;
      if (bytes == 0) break;
      at_ += bytes;
    }
    decoded_.assign(start, at_);
    if (!DecodeText()) return false;
    text = document_.CopyText(decoded_);
    return true;
  }

  /// Appends the rest of a text that has escapes or invalid bytes to `decoded_`.
  bool DecodeText() {
    while (true) {
      const char* const start = at_;
      at_ = FindSpecialByte(at_, end_);
      decoded_.append(start, at_);
      if (at_ == end_) return Expected("'\"' at the end of a string");
      if (*at_ == '"') {
        ++at_;
        return true;
      }
      if (*at_ == '\\') {
        ++at_;
        if (!DecodeEscape()) return false;
      } else if (static_cast<unsigned char>(*at_) < ' ') {
        return Expected("no control character in a string");
      } else if (const std::size_t bytes = Utf8Bytes(Rest()); bytes > 0) {
        decoded_.append(at_, bytes);
        at_ += bytes;
      } else {
        // Replace byte by byte, as Go does, so that a text with one bad byte stays readable.
        decoded_ += kReplacement;
        ++at_;
      }
    }
  }

  bool DecodeEscape() {
    constexpr std::string_view kEscapes = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    if (*at_ == 'u') {
      ++at_;
      return DecodeHex();
    }
    const std::size_t found = *at_ == '\0' ? std::string_view::npos : kEscapes.find(*at_);
    if (found == std::string_view::npos) return Expected(R"(one of "\/bfnrtu after a backslash)");
    decoded_ += kMeanings[found];
    ++at_;
    return true;
  }

  bool DecodeHex() {
    char32_t point = 0;
    if (!FourHexDigits(point)) return false;
    if (IsSurrogate(point) && Rest().starts_with("\\u")) {
      const char* const second = at_;
      at_ += 2;
      char32_t low = 0;
      if (!FourHexDigits(low)) return false;
      if (point < 0xDC00 && low >= 0xDC00 && low < 0xE000) {
        point = 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00);
      } else {
        at_ = second;  // no surrogate pair: the second escape is a separate character
      }
    }
    AppendUtf8(point, decoded_);
    return true;
  }

  bool FourHexDigits(char32_t& point) {
    for (int count = 0; count < 4; ++count, ++at_) {
      const int digit = HexDigit(*at_);
      if (digit < 0) return Expected("four hexadecimal digits after \\u");
      point = point << 4 | static_cast<char32_t>(digit);
    }
    return true;
  }

  std::string_view Rest() const { return {at_, static_cast<std::size_t>(end_ - at_)}; }

  bool Wrong(std::string what) {
    wrong_ = std::move(what);
    return false;
  }
  bool Expected(std::string_view what) {
    return Wrong(fmt::format("expected {}, found {}", what, Found()));
  }

  std::string Found() const {
    if (at_ == end_) return "the end of the text";
    if (Rest().starts_with(kByteOrderMark)) return "a byte order mark";
    const std::size_t bytes = Utf8Bytes(Rest());
    const auto first = static_cast<unsigned char>(*at_);
    if (bytes == 0 || first < ' ' || first == 0x7F) return fmt::format("byte 0x{:02x}", first);
    return fmt::format("'{}'", Rest().substr(0, bytes));
  }

  std::unexpected<Error> Failure() const {
    // Columns are counted only on failure; during parsing, only lines are.
    std::size_t column = 1;
    for (const char* at = at_; at != begin_ && at[-1] != '\n'; --at) {
      const bool is_continuation = IsUtf8Tail(at[-1]);
      column += is_continuation ? 0 : 1;
    }
    return Fail(Reason::BadRequest, fmt::format("line {}, column {}: {}", line_, column, wrong_));
  }

  Document& document_;
  TreeBuilder builder_;
  const ParseLimits& limits_;
  const std::span<const KeyPath> skipped_;
  std::array<std::size_t, kSkippedPathsMax>
      matched_keys_{};          // number of keys of each path that match so far
  std::size_t on_way_max_ = 0;  // maximum of matched_keys_
  const char* const begin_;
  const char* at_;
  const char* const end_;
  std::uint32_t line_ = 1;
  std::size_t values_ = 0;
  std::string decoded_;
  std::string wrong_;
};

/// Size of the tree of a typical manifest, so that it is one block; larger texts add blocks.
std::size_t TreeBytesExpected(std::size_t text_bytes) {
  constexpr std::size_t kBytesMax = 64u << 10;
  return std::min(text_bytes * 3, kBytesMax);
}

}  // namespace

Result<std::unique_ptr<Document>> ParseJson(std::string text, const ParseLimits& limits,
                                            std::span<const KeyPath> skipped) {
  PL_ASSERT(skipped.size() <= kSkippedPathsMax);
  if (text.size() > limits.bytes_max || text.size() > UINT32_MAX) {
    return Fail(Reason::RequestEntityTooLarge,
                fmt::format("Request entity too large: limit is {}", limits.bytes_max));
  }
  auto document = std::make_unique<Document>(TreeBytesExpected(text.size()));
  const std::string_view source = document->Adopt(std::move(text));
  PL_TRY(JsonParser(*document, source, limits, skipped).Parse());
  return document;
}

}  // namespace plimsoll::codec
