#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include "codec/json.h"
#include "codec/utf8.h"

namespace plimsoll::codec {
namespace {

constexpr std::size_t kIndent = 4;

/// Bytes that encoding/json does not always write as they are. `<`, `>` and `&` are among them so
/// that the text may stand inside HTML; so are U+2028 and U+2029, which begin with 0xE2.
constexpr std::array<bool, 256> kNeedsCare = [] {
  std::array<bool, 256> table{};
  for (std::size_t byte = 0; byte < 256; ++byte) table[byte] = byte < 0x20 || byte >= 0x80;
  for (const char c : std::string_view("\"\\<>&")) table[static_cast<unsigned char>(c)] = true;
  return table;
}();

void AppendHexEscape(unsigned byte, std::string& out) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  out += "\\u00";
  out += kDigits[byte >> 4];
  out += kDigits[byte & 0xF];
}

void AppendAscii(char c, std::string& out) {
  constexpr std::string_view kMeanings = "\"\\\b\f\n\r\t";
  constexpr std::string_view kEscapes = "\"\\bfnrt";
  if (const std::size_t found = kMeanings.find(c); found != std::string_view::npos) {
    out += '\\';
    out += kEscapes[found];
  } else {
    AppendHexEscape(static_cast<unsigned char>(c), out);
  }
}

void AppendText(std::string_view text, std::string& out) {
  out += '"';
  std::size_t plain = 0;  // where the part begins that is not yet written
  for (std::size_t at = 0; at < text.size();) {
    if (!kNeedsCare[static_cast<unsigned char>(text[at])]) {
      ++at;
      continue;
    }
    const std::size_t bytes = Utf8Bytes(text.substr(at));
    const std::string_view character = text.substr(at, bytes);
    if (bytes > 1 && character != "\u2028" && character != "\u2029") {
      at += bytes;
      continue;
    }
    out += text.substr(plain, at - plain);
    if (bytes == 0) {
      out += "\\ufffd";
    } else if (bytes == 1) {
      AppendAscii(text[at], out);
    } else {
      out += character == "\u2028" ? "\\u2028" : "\\u2029";
    }
    at += bytes == 0 ? 1 : bytes;
    plain = at;
  }
  out += text.substr(plain);
  out += '"';
}

void AppendInt(std::int64_t value, std::string& out) {
  std::array<char, 20> digits;
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  PL_ASSERT(error == std::errc{});
  out.append(digits.data(), end);
}

/// Writes a tree, compact or indented.
class Writer {
 public:
  Writer(std::string& out, bool is_pretty) : out_(out), is_pretty_(is_pretty) {}

  void Write(const Value& value) {
    switch (value.kind()) {
      case Value::Kind::Null:
        out_ += "null";
        break;
      case Value::Kind::Bool:
        out_ += value.AsBool() ? "true" : "false";
        break;
      case Value::Kind::Int:
        AppendInt(value.AsInt(), out_);
        break;
      case Value::Kind::Number:
        out_ += value.text();
        break;
      case Value::Kind::String:
        AppendText(value.text(), out_);
        break;
      case Value::Kind::Array:
        WriteAll('[', value.items(), ']', [this](const Value& item) { Write(item); });
        break;
      case Value::Kind::Object:
        WriteAll('{', value.members(), '}', [this](const Member& member) {
          AppendText(member.key, out_);
          out_ += is_pretty_ ? ": " : ":";
          Write(member.value);
        });
        break;
    }
  }

 private:
  template <class Elements, class WriteOne>
  void WriteAll(char open, Elements elements, char close, WriteOne write_one) {
    out_ += open;
    ++depth_;
    bool is_first = true;
    for (const auto& element : elements) {
      if (!is_first) out_ += ',';
      is_first = false;
      NewLine();
      write_one(element);
    }
    --depth_;
    if (!elements.empty()) NewLine();
    out_ += close;
  }

  void NewLine() {
    if (!is_pretty_) return;
    out_ += '\n';
    out_.append(depth_ * kIndent, ' ');
  }

  std::string& out_;
  const bool is_pretty_;
  std::size_t depth_ = 0;
};

}  // namespace

void AppendJson(const Value& value, std::string& out) { Writer(out, false).Write(value); }

std::string WriteJson(const Value& value) {
  std::string out;
  AppendJson(value, out);
  return out;
}

std::string WriteJsonPretty(const Value& value) {
  std::string out;
  Writer(out, true).Write(value);
  return out;
}

}  // namespace plimsoll::codec
