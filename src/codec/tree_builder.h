#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/document.h"
#include "codec/limits.h"
#include "codec/scratch_stack.h"

namespace plimsoll::codec {

/// Builds a tree from the inside out, for parsers. The entries of all open containers are on one
/// stack. When a container is closed, its entries move into the document in their final size.
///
///   text      stack (entry = key and value)         calls
///   {"a":[1   a:?  _:?                              Open Key("a") Open Item
///   {"a":[1]  a:[1]                                 Fill(1) Fill(Close())
///   {"a":[1]} (empty)                               Close() is the tree
///
/// Detects repeated keys: the last value wins and takes the place of the first, and the key is
/// added to the document's duplicates. At most kDuplicatesMax are recorded, as upstream does.
class TreeBuilder {
 public:
  /// Used as offset of a key from a YAML merge (`<<`), which is never reported as duplicate.
  static constexpr std::uint32_t kMerged = UINT32_MAX;

  explicit TreeBuilder(Document& document) : document_(document) {}

  std::size_t depth() const { return frames_.size(); }

  void Open(Value::Kind kind, std::uint32_t line) {
    PL_ASSERT(kind == Value::Kind::Array || kind == Value::Kind::Object);
    frames_.push_back({.first = static_cast<std::uint32_t>(entries_.size()),
                       .line = line,
                       .is_object = kind == Value::Kind::Object});
  }
  /// Begins a member of the innermost container; Fill sets its value. `offset` is the position of
  /// the key in the source.
  void Key(std::string_view key, std::uint32_t offset) {
    Frame& frame = frames_.back();
    const std::uint64_t bit = std::uint64_t{1} << Digest(key);
    if ((frame.keys_seen & bit) != 0) CheckForRepeat(frame, key);
    frame.keys_seen |= bit;
    Entry& entry = entries_.Push();
    entry.key = key;
    entry.offset = offset;
  }
  /// Begins an item; Fill sets its value.
  void Item() { entries_.Push().key = {}; }
  void Fill(const Value& value) { begun() = value; }
  /// Value of the entry that was begun last.
  Value& begun() { return entries_.back().value; }
  /// Removes the entry that was begun last.
  void Drop() { entries_.Shrink(entries_.size() - 1); }
  /// Closes the innermost container and returns it.
  Value Close();

  /// Adds the repeated keys to the document, in the order of the source.
  void Finish();

 private:
  struct Entry {
    std::string_view key;
    Value value;
    std::uint32_t offset = 0;
  };
  struct Frame {
    std::uint32_t first = 0;  // index of its first entry on the stack
    std::uint32_t line = 0;
    std::uint64_t keys_seen = 0;  // digests
    bool is_object = false;
    bool may_repeat = false;
  };
  struct Repeat {
    DuplicateKey duplicate;
    std::uint32_t offset = 0;
  };

  /// Returns 0 to 63. Equal keys have equal digests.
  static std::uint32_t Digest(std::string_view key) {
    if (key.empty()) return 0;
    const auto mixed = static_cast<std::uint32_t>(key.size()) ^
                       static_cast<std::uint32_t>(static_cast<unsigned char>(key.front())) << 8 ^
                       static_cast<std::uint32_t>(static_cast<unsigned char>(key.back())) << 16;
    return (mixed * 0x9E3779B1u) >> 26;
  }
  void CheckForRepeat(Frame& frame, std::string_view key);
  void DropRepeats();
  void ReportDuplicates(std::span<Entry* const> same_key);
  std::string Path(std::string_view last_key) const;

  Document& document_;
  ScratchStack<Entry, 96> entries_;
  ScratchStack<Frame, 32> frames_;
  std::vector<Repeat> repeats_;
};

}  // namespace plimsoll::codec
