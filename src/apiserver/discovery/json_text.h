#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/go_text.h"

namespace plimsoll::apiserver {

/// Writes JSON text from start to end and inserts the commas. The caller must close every bracket
/// that it opens.
class JsonText {
 public:
  JsonText& Open(char bracket) {
    Separate();
    out_ += bracket;
    return *this;
  }
  JsonText& Close(char bracket) {
    out_ += bracket;
    return *this;
  }
  JsonText& Key(std::string_view key) {
    Separate();
    out_ += GoJsonQuote(key);
    out_ += ':';
    return *this;
  }

  JsonText& Text(std::string_view text) { return Raw(GoJsonQuote(text)); }
  JsonText& Bool(bool value) { return Raw(value ? "true" : "false"); }
  /// Appends a value that is already JSON.
  JsonText& Raw(std::string_view json) {
    Separate();
    out_ += json;
    return *this;
  }

  JsonText& Field(std::string_view key, std::string_view text) { return Key(key).Text(text); }
  JsonText& Field(std::string_view key, std::same_as<bool> auto value) {
    return Key(key).Bool(value);
  }
  /// Omits the field if `texts` is empty.
  JsonText& Field(std::string_view key, std::span<const std::string_view> texts) {
    if (texts.empty()) return *this;
    Key(key).Open('[');
    for (const std::string_view text : texts) Text(text);
    return Close(']');
  }

  const std::string& text() const& { return out_; }
  std::string text() && { return std::move(out_); }

 private:
  void Separate() {
    if (out_.empty()) return;
    const char last = out_.back();
    if (last != '{' && last != '[' && last != ':') out_ += ',';
  }

  std::string out_;
};

}  // namespace plimsoll::apiserver
