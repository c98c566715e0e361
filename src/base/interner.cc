#include "base/interner.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/assert.h"

namespace plimsoll {
namespace {

constexpr std::size_t kSlotsMin = 16;

std::uint32_t HashOf(std::string_view text) {
  const std::size_t hash = std::hash<std::string_view>{}(text);
  return static_cast<std::uint32_t>(hash ^ (hash >> 32));
}

}  // namespace

Interner::~Interner() {
  if (large_count_ == 0) return;
  for (const Entry& entry : entries_) {
    if (entry.references != 0 && BlockBytes(LengthOf(entry.block)) > kPooledBytesMax) {
      delete[] entry.block;
    }
  }
}

std::size_t Interner::BlockBytes(std::size_t length) {
  return (kPrefixBytes + length + kGrainBytes - 1) / kGrainBytes * kGrainBytes;
}

std::byte* Interner::NewBlock(std::size_t bytes) {
  if (bytes > kPooledBytesMax) {
    ++large_count_;
    text_bytes_ += bytes;
    return new std::byte[bytes];
  }
  if (std::byte*& head = pool_[bytes / kGrainBytes]; head != nullptr) {
    std::byte* const block = head;
    std::memcpy(static_cast<void*>(&head), block, sizeof(head));
    return block;
  }
  if (chunk_left_ < bytes) {
    // Allocate as much again as there is, so that an interner of few texts stays small.
    chunk_left_ = std::clamp(text_bytes_, kChunkBytesMin, kChunkBytesMax);
    text_bytes_ += chunk_left_;
    chunks_.push_back(std::make_unique_for_overwrite<std::byte[]>(chunk_left_));
    chunk_next_ = chunks_.back().get();
  }
  chunk_left_ -= bytes;
  return std::exchange(chunk_next_, chunk_next_ + bytes);
}

void Interner::FreeBlock(std::byte* block) {
  const std::size_t bytes = BlockBytes(LengthOf(block));
  if (bytes > kPooledBytesMax) {
    --large_count_;
    text_bytes_ -= bytes;
    delete[] block;
    return;
  }
  std::byte*& head = pool_[bytes / kGrainBytes];
  std::memcpy(block, static_cast<const void*>(&head), sizeof(head));
  head = block;
}

/// Returns the slot that holds the text, or the empty slot where it belongs.
std::size_t Interner::SlotOf(std::string_view text, std::uint32_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  while (slots_[slot] != kNone) {
    const Id id = slots_[slot];
    if (entries_[id].hash == hash && this->text(id) == text) break;
    slot = (slot + 1) & mask;
  }
  return slot;
}

void Interner::Grow() {
  std::vector<Id> old(std::max(kSlotsMin, slots_.size() * 2), kNone);
  old.swap(slots_);
  const std::size_t mask = slots_.size() - 1;
  for (const Id id : old) {
    if (id == kNone) continue;
    std::size_t slot = entries_[id].hash & mask;
    while (slots_[slot] != kNone) slot = (slot + 1) & mask;
    slots_[slot] = id;
  }
}

Interner::Acquired Interner::Acquire(std::string_view text) {
  if ((size() + 1) * 8 > slots_.size() * 7) Grow();
  const std::uint32_t hash = HashOf(text);
  const std::size_t slot = SlotOf(text, hash);
  if (slots_[slot] != kNone) {
    AddReference(slots_[slot]);
    return {slots_[slot], false};
  }
  Id id = static_cast<Id>(entries_.size());
  if (free_.empty()) {
    entries_.emplace_back();
  } else {
    id = free_.back();
    free_.pop_back();
  }
  std::byte* const block = NewBlock(BlockBytes(text.size()));
  const std::uint32_t length = static_cast<std::uint32_t>(text.size());
  std::memcpy(block, &length, sizeof(length));
  if (!text.empty()) std::memcpy(block + kPrefixBytes, text.data(), text.size());
  entries_[id] = {block, hash, 1};
  slots_[slot] = id;
  return {id, true};
}

bool Interner::Release(Id id) {
  Entry& entry = entries_[id];
  PL_ASSERT(entry.references > 0);
  if (--entry.references > 0) return false;
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = entry.hash & mask;
  while (slots_[slot] != id) slot = (slot + 1) & mask;
  EraseSlot(slot);
  FreeBlock(entry.block);
  entry.block = nullptr;
  free_.push_back(id);
  return true;
}

/// Fills the gap with later entries of the probe sequence, so that no tombstones accumulate.
void Interner::EraseSlot(std::size_t gap) {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t slot = (gap + 1) & mask; slots_[slot] != kNone; slot = (slot + 1) & mask) {
    const std::size_t home = entries_[slots_[slot]].hash & mask;
    if (((slot - home) & mask) < ((slot - gap) & mask)) continue;
    slots_[gap] = slots_[slot];
    gap = slot;
  }
  slots_[gap] = kNone;
}

Interner::Id Interner::Find(std::string_view text) const {
  return slots_.empty() ? kNone : slots_[SlotOf(text, HashOf(text))];
}

std::size_t Interner::MemoryBytes() const {
  return text_bytes_ + entries_.capacity() * sizeof(Entry) +
         (free_.capacity() + slots_.capacity()) * sizeof(Id);
}

}  // namespace plimsoll
