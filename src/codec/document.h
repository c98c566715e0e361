#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "codec/arena.h"
#include "codec/limits.h"
#include "codec/value.h"

namespace plimsoll::codec {

/// A key that occurs twice in one object. The last value wins, as in Go. The caller decides whether
/// that is an error, a warning or ignored (fieldValidation).
struct DuplicateKey {
  std::string path;        // such as spec.containers[0].name
  std::uint32_t line = 0;  // line where the second value begins
};

/// A parsed tree and the memory that holds it. One thread builds and changes it. Afterwards it may
/// be shared as const, and is then safe for use by many threads.
class Document {
 public:
  /// Reserves `bytes_expected` bytes for the tree and its texts; grows if they need more.
  explicit Document(std::size_t bytes_expected = 0) : arena_(bytes_expected) {}
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  const Value& root() const { return root_; }
  Value& root() { return root_; }

  const std::vector<DuplicateKey>& duplicates() const { return duplicates_; }
  void AddDuplicate(DuplicateKey duplicate) { duplicates_.push_back(std::move(duplicate)); }

  /// Copies the text into the arena.
  std::string_view CopyText(std::string_view text);
  /// Takes ownership of a text, so that views into it stay valid as long as the document.
  /// A NUL follows the text.
  std::string_view Adopt(std::string text);

  Value NewArray(std::size_t capacity = 0);
  Value NewObject(std::size_t capacity = 0);
  /// Returns a String whose text is copied into the arena.
  Value NewString(std::string_view text) { return Value::String(CopyText(text)); }
  /// Returns a deep copy of a tree of any document, including field ids.
  Value Clone(const Value& value);

  void Append(Value& array, const Value& item);
  /// Replaces the member with this key, or appends one. The key must outlive the document: it is a
  /// literal, or a text of the document.
  Value& Set(Value& object, std::string_view key, Value value, FieldId field = kUnknownField);
  /// Appends without a check for a duplicate key; for parsers that have checked already.
  void AppendMember(Value& object, const Member& member);
  /// Keeps the first `size` items or members of an Array or an Object.
  static void Truncate(Value& container, std::size_t size) {
    PL_ASSERT(size <= container.size_);
    container.size_ = static_cast<std::uint32_t>(size);
  }
  /// Returns false if the object has no such member.
  bool Remove(Value& object, std::string_view key);

  /// Bytes taken from the system for the tree and its texts.
  std::size_t bytes() const;

 private:
  Arena arena_;
  std::vector<std::string> adopted_;
  Value root_;
  std::vector<DuplicateKey> duplicates_;
};

/// Limits of a parser, so that no input can exhaust memory or stack.
struct ParseLimits {
  std::size_t bytes_max = kDocumentBytesMax;
  std::uint32_t depth_max = kDocumentDepthMax;
  /// Number of values in one stream, after aliases are expanded.
  std::size_t values_max = kDocumentValuesMax;
};

inline void Document::AppendMember(Value& object, const Member& member) {
  PL_ASSERT(object.is_object());
  if (object.size_ == object.capacity_) [[unlikely]] {
    object.members_ = arena_.Grow(object.members_, object.size_, object.capacity_);
  }
  // Copy field by field. A copy of the whole struct would read back what was just written in
  // smaller pieces, which stalls the processor.
  Member& place = object.members_[object.size_++];
  place.key = member.key;
  place.value = member.value;
  place.field = member.field;
}

inline void Document::Append(Value& array, const Value& item) {
  PL_ASSERT(array.is_array());
  if (array.size_ == array.capacity_) [[unlikely]] {
    array.items_ = arena_.Grow(array.items_, array.size_, array.capacity_);
  }
  array.items_[array.size_++] = item;
}

}  // namespace plimsoll::codec
