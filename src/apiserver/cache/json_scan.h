#pragma once

#include <cstddef>
#include <string_view>

namespace plimsoll::apiserver {

/// Walks through a JSON text without building a tree, for those who want a handful of its values.
/// Only as strict as it needs to be to stay within the text: what it passes over is not checked.
class JsonScan {
 public:
  explicit JsonScan(std::string_view text)
      : begin_(text.data()), at_(text.data()), end_(text.data() + text.size()) {}

  /// A text between its quotes, as it stands: with its escapes, if it has some.
  struct RawText {
    std::string_view raw;
    bool has_escapes = false;
  };

  /// Steps into an object. False: there is none here.
  bool Enter();
  /// The next key of the object that was entered, and stands before its value. False at the end
  /// of the object, or when the text is broken: see ok().
  bool NextKey(RawText& key);
  /// Reads a text. False when something else stands here; then nothing was read.
  bool ReadText(RawText& text);
  /// Passes over the value that stands here.
  void Skip();
  /// Passes over it too, and says what it was, as it stands.
  std::string_view SkipRaw();

  /// False once the text was found to be broken.
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
