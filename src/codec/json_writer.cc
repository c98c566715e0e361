#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/go_text.h"
#include "codec/json.h"

namespace plimsoll::codec {
namespace {

constexpr std::size_t kIndent = 4;

/// Bytes that encoding/json may escape or replace. Most texts have none of them.
constexpr std::array<bool, 256> kNeedsCare = [] {
  std::array<bool, 256> table{};
  for (std::size_t byte = 0; byte < 256; ++byte) table[byte] = byte < 0x20 || byte >= 0x80;
  for (const char c : std::string_view("\"\\<>&")) table[static_cast<unsigned char>(c)] = true;
  return table;
}();

void AppendText(std::string_view text, std::string& out) {
  const bool is_plain =
      std::ranges::none_of(text, [](char c) { return kNeedsCare[static_cast<unsigned char>(c)]; });
  if (!is_plain) {
    out += GoJsonQuote(text);
    return;
  }
  out += '"';
  out += text;
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
