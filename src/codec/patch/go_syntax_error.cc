#include "codec/patch/go_syntax_error.h"

#include <cstddef>
#include <vector>

#include "base/go_text.h"
#include "base/text/ascii.h"
#include "codec/limits.h"

namespace plimsoll::codec {
namespace {

/// Scans the text as Go's scanner does, and stops at the first byte that Go rejects.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::optional<std::string> Run() {
    while (!error_) {
      SkipBlanks();
      if (!Value()) return error_;
      // After a value: close all containers that end here, then move to the next value.
      while (!open_.empty() && CloseOrComma()) {
      }
      if (!error_ && open_.empty()) {
        SkipBlanks();
        if (at_ < text_.size()) Refuse("after top-level value");
        return error_;
      }
    }
    return error_;
  }

 private:
  char Peek() const { return text_[at_]; }
  bool AtEnd() {
    if (at_ < text_.size()) return false;
    error_ = "unexpected end of JSON input";
    return true;
  }
  bool Refuse(std::string_view context) {
    const char c = Peek();
    std::string shown;
    if (c == '\'') {
      shown = "\\'";
    } else if (c == '"') {
      shown = "\"";
    } else {
      // Go prints a byte as the rune of the same number.
      const auto byte = static_cast<unsigned char>(c);
      std::string rune(1, c);
      if (byte >= 0x80) {
        rune = {static_cast<char>(0xC0 | (byte >> 6)), static_cast<char>(0x80 | (byte & 0x3F))};
      }
      const std::string quoted = GoQuote(rune);
      shown = quoted.substr(1, quoted.size() - 2);
    }
    error_ = "invalid character '" + shown + "' " + std::string(context);
    return false;
  }

  void SkipBlanks() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").contains(Peek())) ++at_;
  }

  /// Reads a scalar, an empty container, or the start of a container up to its first value.
  bool Value() {
    for (;;) {
      if (AtEnd()) return false;
      const char c = Peek();
      if (c == '"') return String();
      if (c == '-' || IsDigit(c)) return Number();
      if (c == 't') return Literal("true");
      if (c == 'f') return Literal("false");
      if (c == 'n') return Literal("null");
      if (c != '{' && c != '[') return Refuse("looking for beginning of value");
      ++at_;
      if (open_.size() == kGoSyntaxDepthMax) {
        error_ = "exceeded max depth";
        return false;
      }
      SkipBlanks();
      if (AtEnd()) return false;
      if (Peek() == (c == '{' ? '}' : ']')) {
        ++at_;
        return true;
      }
      open_.push_back(c);
      if (c == '{' && !Key()) return false;
    }
  }

  bool Key() {
    SkipBlanks();
    if (AtEnd()) return false;
    if (Peek() != '"') return Refuse("looking for beginning of object key string");
    if (!String()) return false;
    SkipBlanks();
    if (AtEnd()) return false;
    if (Peek() != ':') return Refuse("after object key");
    ++at_;
    SkipBlanks();
    return true;
  }

  /// Returns true if the innermost container ended; false at the next value or at an error.
  bool CloseOrComma() {
    const bool is_object = open_.back() == '{';
    SkipBlanks();
    if (AtEnd()) return false;
    if (Peek() == (is_object ? '}' : ']')) {
      ++at_;
      open_.pop_back();
      return true;
    }
    if (Peek() != ',') {
      return Refuse(is_object ? "after object key:value pair" : "after array element");
    }
    ++at_;
    if (is_object) Key();
    return false;
  }

  bool String() {
    for (++at_;; ++at_) {
      if (AtEnd()) return false;
      const char c = Peek();
      if (c == '"') break;
      if (static_cast<unsigned char>(c) < 0x20) return Refuse("in string literal");
      if (c != '\\') continue;
      ++at_;
      if (AtEnd()) return false;
      if (!std::string_view("bfnrt\\/\"u").contains(Peek())) {
        return Refuse("in string escape code");
      }
      if (Peek() != 'u') continue;
      for (int i = 0; i < 4; ++i) {
        ++at_;
        if (AtEnd()) return false;
        if (!IsHexDigit(Peek())) return Refuse("in \\u hexadecimal character escape");
      }
    }
    ++at_;
    return true;
  }

  bool Digits(std::string_view context) {
    if (AtEnd()) return false;
    if (!IsDigit(Peek())) return Refuse(context);
    while (at_ < text_.size() && IsDigit(Peek())) ++at_;
    return true;
  }
  bool SkipOneOf(std::string_view set) {
    if (at_ == text_.size() || !set.contains(Peek())) return false;
    ++at_;
    return true;
  }

  bool Number() {
    SkipOneOf("-");
    if (!SkipOneOf("0") && !Digits("in numeric literal")) return false;
    if (SkipOneOf(".") && !Digits("after decimal point in numeric literal")) return false;
    if (!SkipOneOf("eE")) return true;
    SkipOneOf("+-");
    return Digits("in exponent of numeric literal");
  }

  bool Literal(std::string_view word) {
    for (const char c : word) {
      if (AtEnd()) return false;
      if (Peek() != c) {
        return Refuse("in literal " + std::string(word) + " (expecting '" + c + "')");
      }
      ++at_;
    }
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<char> open_;  // opening brackets
  std::optional<std::string> error_;
};

}  // namespace

std::optional<std::string> GoSyntaxError(std::string_view text) { return Scanner(text).Run(); }

}  // namespace plimsoll::codec
