#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "codec/arena.h"
#include "codec/value.h"

namespace plimsoll::codec {

/// A key that stood twice in one object. The last one wins, as in Go; whether that is an error, a
/// warning or nothing is for the caller to say (fieldValidation).
struct DuplicateKey {
  std::string path;        // spec.containers[0].name
  std::uint32_t line = 0;  // where the second value begins
};

/// A parsed tree with the memory that it lies in. Built and changed by one thread; once it is
/// shared it is shared as const and safe for use by many.
class Document {
 public:
  /// Room is made for that many bytes of tree and texts at once; more is taken when needed.
  explicit Document(std::size_t bytes_expected = 0) : arena_(bytes_expected) {}
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  const Value& root() const { return root_; }
  Value& root() { return root_; }

  const std::vector<DuplicateKey>& duplicates() const { return duplicates_; }
  void AddDuplicate(DuplicateKey duplicate) { duplicates_.push_back(std::move(duplicate)); }

  /// Copies the text into the arena.
  std::string_view Keep(std::string_view text);
  /// Takes over a whole text, so that views into it stay good as long as the document.
  /// A NUL stands behind it.
  std::string_view Adopt(std::string text);

  Value NewArray(std::size_t capacity = 0);
  Value NewObject(std::size_t capacity = 0);
  /// A String whose text is copied into the arena.
  Value NewString(std::string_view text) { return Value::String(Keep(text)); }
  /// A deep copy of a tree of any document, field ids included.
  Value Clone(const Value& value);

  void Append(Value& array, const Value& item);
  /// Replaces the member with that key, or appends one. The key must outlive the document: a
  /// literal, or a text that it keeps.
  Value& Set(Value& object, std::string_view key, Value value, FieldId field = kUnknownField);
  /// Appends without looking for the key; for parsers that have looked already.
  void AppendMember(Value& object, const Member& member);
  /// Keeps the first `size` items or members of an Array or an Object.
  static void Truncate(Value& container, std::size_t size) {
    PL_ASSERT(size <= container.size_);
    container.size_ = static_cast<std::uint32_t>(size);
  }
  /// False when there was none.
  bool Remove(Value& object, std::string_view key);

  /// Bytes taken from the system for the tree and its texts.
  std::size_t bytes() const;

 private:
  Arena arena_;
  std::vector<std::string> adopted_;
  Value root_;
  std::vector<DuplicateKey> duplicates_;
};

/// What a parser refuses, so that no input can exhaust memory or stack.
struct ParseLimits {
  std::size_t bytes_max = 3u << 20;
  std::uint32_t depth_max = 200;
  /// Of one stream: values of the tree, after aliases are expanded.
  std::size_t values_max = 1u << 20;
};

inline void Document::AppendMember(Value& object, const Member& member) {
  PL_ASSERT(object.is_object());
  if (object.size_ == object.capacity_) [[unlikely]] {
    object.members_ = arena_.Grow(object.members_, object.size_, object.capacity_);
  }
  // Field by field: a whole copy would read back what was written in smaller pieces just before,
  // which stalls the processor.
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
