#pragma once

#include <cstddef>
#include <string_view>

namespace plimsoll::apiserver {

/// Scans JSON text without building a tree, for callers that need a few values. Checks only what it
/// needs to stay within the text; it does not validate skipped values.
class JsonScan {
 public:
  explicit JsonScan(std::string_view text)
      : begin_(text.data()), at_(text.data()), end_(text.data() + text.size()) {}

  /// A string without its quotes, not unescaped.
  struct RawText {
    std::string_view raw;
    bool has_escapes = false;
  };

  /// Enters an object. Returns false if there is none here.
  bool Enter();
  /// Reads the next key of the current object and stops before its value. Returns false at the end
  /// of the object or if the text is malformed: see ok().
  bool NextKey(RawText& key);
  /// Reads a string. Returns false and reads nothing if the value is something else.
  bool ReadText(RawText& text);
  /// Skips the value.
  void Skip();
  /// Skips the value and returns its text.
  std::string_view SkipRaw();

  /// Returns false once the text was found to be malformed.
  bool ok() const { return is_ok_; }
  std::size_t offset() const { return static_cast<std::size_t>(at_ - begin_); }

 private:
  void SkipBlanks();
  bool Break() {
    is_ok_ = false;
    at_ = end_;
    return false;
  }

  const char* begin_;
  const char* at_;
  const char* end_;
  bool is_ok_ = true;
};

}  // namespace plimsoll::apiserver
