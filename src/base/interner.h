#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

namespace plimsoll {

/// Maps equal texts to one small number. Ids are dense: a released id is reused first, so that ids
/// can index arrays. Texts are reference-counted. Memory of a released text is reused for the next
/// one of its size, so an interner does not grow with churn. A text may hold any bytes. Not safe
/// for use by several threads.
class Interner {
 public:
  using Id = std::uint32_t;
  static constexpr Id kNone = 0xffff'ffff;

  Interner() = default;
  ~Interner();
  Interner(const Interner&) = delete;
  Interner& operator=(const Interner&) = delete;

  struct Acquired {
    Id id = kNone;
    bool is_new = false;
  };

  /// Adds a reference to the text, and stores the text if it is new.
  Acquired Acquire(std::string_view text);
  void AddReference(Id id) { ++entries_[id].references; }
  /// Drops a reference. Returns true if it was the last: the text is gone and the id is free.
  bool Release(Id id);

  /// Returns the id of the text, or kNone if it has no reference.
  Id Find(std::string_view text) const;

  bool IsLive(Id id) const { return id < entries_.size() && entries_[id].references != 0; }
  bool IsLastReference(Id id) const { return entries_[id].references == 1; }
  /// Returns the text, which is 4-byte aligned and valid until the last Release of the id.
  std::string_view text(Id id) const {
    const std::byte* const block = entries_[id].block;
    return {reinterpret_cast<const char*>(block) + kPrefixBytes, LengthOf(block)};
  }

  /// Number of texts that have a reference.
  std::size_t size() const { return entries_.size() - free_.size(); }
  /// One more than the greatest id ever returned.
  std::size_t id_limit() const { return entries_.size(); }

  /// Bytes of the texts, their length prefixes and the blocks kept for reuse.
  std::size_t TextBytes() const { return text_bytes_; }
  std::size_t MemoryBytes() const;

 private:
  struct Entry {
    std::byte* block = nullptr;  // the length in 4 bytes, then the text
    std::uint32_t hash = 0;
    std::uint32_t references = 0;
  };

  static constexpr std::size_t kPrefixBytes = 4;
  static constexpr std::size_t kGrainBytes = 8;
  static constexpr std::size_t kPooledBytesMax = 512;
  static constexpr std::size_t kChunkBytesMin = 512;
  static constexpr std::size_t kChunkBytesMax = std::size_t{64} * 1024;

  static std::size_t LengthOf(const std::byte* block) {
    std::uint32_t length = 0;
    std::memcpy(&length, block, sizeof(length));
    return length;
  }
  static std::size_t BlockBytes(std::size_t length);
  std::byte* NewBlock(std::size_t bytes);
  void FreeBlock(std::byte* block);
  std::size_t SlotOf(std::string_view text, std::uint32_t hash) const;
  void Grow();
  void EraseSlot(std::size_t gap);

  std::vector<Entry> entries_;
  std::vector<Id> free_;
  std::vector<Id> slots_;  // open addressing, a power of two, linear probing
  std::vector<std::unique_ptr<std::byte[]>> chunks_;
  std::byte* chunk_next_ = nullptr;
  std::size_t chunk_left_ = 0;
  std::array<std::byte*, kPooledBytesMax / kGrainBytes + 1> pool_{};  // free blocks by size
  std::size_t large_count_ = 0;  // blocks too large to pool, each allocated by itself
  std::size_t text_bytes_ = 0;
};

}  // namespace plimsoll
