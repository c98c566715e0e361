#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/go_text.h"

namespace plimsoll::codec {

/// Builds a JSON object member by member.
class JsonText {
 public:
  /// Adds a member whose value is JSON already.
  JsonText& Raw(std::string_view key, std::string_view json) {
    if (!empty()) out_ += ',';
    out_ += GoJsonQuote(key);
    out_ += ':';
    out_ += json;
    return *this;
  }
  JsonText& Text(std::string_view key, std::string_view value) {
    return Raw(key, GoJsonQuote(value));
  }
  JsonText& TextUnlessEmpty(std::string_view key, std::string_view value) {
    return value.empty() ? *this : Text(key, value);
  }
  JsonText& Int(std::string_view key, std::int64_t value) {
    return Raw(key, std::to_string(value));
  }
  JsonText& Bool(std::string_view key, bool value) { return Raw(key, value ? "true" : "false"); }

  /// Makes room for a text of this size.
  void Reserve(std::size_t bytes) { out_.reserve(bytes); }

  bool empty() const { return out_.size() == 1; }
  std::string Done() const& { return out_ + "}"; }
  std::string Done() && {
    out_ += '}';
    return std::move(out_);
  }

 private:
  std::string out_ = "{";
};

/// Writes JSON text from start to end and inserts the commas. The caller must close every bracket
/// that it opens.
class JsonStream {
 public:
  JsonStream& Open(char bracket) {
    Separate();
    out_ += bracket;
    return *this;
  }
  JsonStream& Close(char bracket) {
    out_ += bracket;
    return *this;
  }
  JsonStream& Key(std::string_view key) {
    Separate();
    out_ += GoJsonQuote(key);
    out_ += ':';
    return *this;
  }

  JsonStream& Text(std::string_view text) { return Raw(GoJsonQuote(text)); }
  JsonStream& Bool(bool value) { return Raw(value ? "true" : "false"); }
  /// Appends a value that is already JSON.
  JsonStream& Raw(std::string_view json) {
    Separate();
    out_ += json;
    return *this;
  }

  JsonStream& Field(std::string_view key, std::string_view text) { return Key(key).Text(text); }
  JsonStream& Field(std::string_view key, std::same_as<bool> auto value) {
    return Key(key).Bool(value);
  }
  /// Omits the field if `texts` is empty.
  JsonStream& Field(std::string_view key, std::span<const std::string_view> texts) {
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

}  // namespace plimsoll::codec
