#include "codec/patch/wide_containers.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"

namespace plimsoll::codec {
namespace {

/// Up to this size, plain edits are the fastest.
constexpr std::size_t kMembersFew = 16;
constexpr std::size_t kItemsFew = 256;
/// Size of a new chunk. A chunk grows to at most twice this size.
constexpr std::size_t kChunkItems = 512;

std::ptrdiff_t Offset(std::size_t index) { return static_cast<std::ptrdiff_t>(index); }

}  // namespace

WideContainers::Members& WideContainers::MembersOf(Value& object) {
  const std::span<Member> all = object.members();
  Members& members = members_[all.data()];
  for (; members.seen < all.size(); ++members.seen) {
    members.by_key.try_emplace(all[members.seen].key, members.seen);
  }
  return members;
}

Value* WideContainers::Find(Value& object, std::string_view key) {
  if (object.members().size() <= kMembersFew) return object.Find(key);
  const Members& members = MembersOf(object);
  const auto found = members.by_key.find(key);
  return found == members.by_key.end() ? nullptr : &object.members()[found->second].value;
}

void WideContainers::Set(Value& object, std::string_view key, const Value& value) {
  if (Value* const old = Find(object, key)) {
    *old = value;
    return;
  }
  const Member* const before = object.members().data();
  document_.AppendMember(object, {document_.CopyText(key), value});
  const Member* const after = object.members().data();
  if (after == before) return;
  // The members have moved, so move their index to the new key.
  const auto known = members_.find(before);
  if (known == members_.end()) return;
  Members moved = std::move(known->second);
  members_.erase(known);
  members_.insert_or_assign(after, std::move(moved));
}

bool WideContainers::Remove(Value& object, std::string_view key) {
  if (object.members().size() <= kMembersFew) return document_.Remove(object, key);
  Members& members = MembersOf(object);
  const auto found = members.by_key.find(key);
  if (found == members.by_key.end()) return false;
  if (members.is_gone.size() <= found->second) members.is_gone.resize(found->second + 1);
  members.is_gone[found->second] = true;
  members.by_key.erase(found);
  return true;
}

WideContainers::Items* WideContainers::FindItems(Value& list) {
  const auto found = items_.find(list.items().data());
  return found == items_.end() ? nullptr : &found->second;
}

std::size_t WideContainers::SizeOf(Value& list) const {
  const auto found = items_.find(list.items().data());
  return found == items_.end() ? list.items().size() : found->second.size;
}

WideContainers::Items& WideContainers::SplitIntoChunks(Value& list) {
  if (Items* const known = FindItems(list)) return *known;
  const std::span<Value> all = list.items();
  Items items{.size = all.size(), .chunks = {}};
  for (std::size_t i = 0; i < all.size(); i += kChunkItems) {
    const std::span<Value> part = all.subspan(i, std::min(kChunkItems, all.size() - i));
    items.chunks.emplace_back(part.begin(), part.end());
  }
  return items_.insert_or_assign(all.data(), std::move(items)).first->second;
}

WideContainers::Position WideContainers::PositionOf(const Items& items, std::size_t index) {
  PL_ASSERT(index < items.size);
  Position place{.chunk = 0, .offset = index};
  while (place.offset >= items.chunks[place.chunk].size()) {
    place.offset -= items.chunks[place.chunk++].size();
  }
  return place;
}

Value& WideContainers::At(Value& list, std::size_t index) {
  Items* const items = FindItems(list);
  if (items == nullptr) return list.items()[index];
  const Position place = PositionOf(*items, index);
  return items->chunks[place.chunk][place.offset];
}

void WideContainers::RemoveAt(Value& list, std::size_t index) {
  const std::span<Value> all = list.items();
  if (FindItems(list) == nullptr && all.size() <= kItemsFew) {
    std::shift_left(all.begin() + Offset(index), all.end(), 1);
    Document::Truncate(list, all.size() - 1);
    return;
  }
  Items& items = SplitIntoChunks(list);
  const Position place = PositionOf(items, index);
  Chunk& chunk = items.chunks[place.chunk];
  chunk.erase(chunk.begin() + Offset(place.offset));
  if (chunk.empty()) items.chunks.erase(items.chunks.begin() + Offset(place.chunk));
  --items.size;
}

void WideContainers::Insert(Value& list, std::size_t index, const Value& value) {
  const bool is_cut = FindItems(list) != nullptr;
  const std::size_t size = list.items().size();
  if (!is_cut && (size <= kItemsFew || index == size)) {
    document_.Append(list, value);
    const std::span<Value> all = list.items();
    std::rotate(all.begin() + Offset(index), all.end() - 1, all.end());
    return;
  }
  Items& items = SplitIntoChunks(list);
  if (items.chunks.empty()) items.chunks.emplace_back();
  Position place{.chunk = items.chunks.size() - 1, .offset = items.chunks.back().size()};
  if (index < items.size) place = PositionOf(items, index);
  Chunk& chunk = items.chunks[place.chunk];
  chunk.insert(chunk.begin() + Offset(place.offset), value);
  ++items.size;
  if (chunk.size() <= 2 * kChunkItems) return;
  Chunk second(chunk.begin() + Offset(kChunkItems), chunk.end());
  chunk.resize(kChunkItems);
  items.chunks.insert(items.chunks.begin() + Offset(place.chunk) + 1, std::move(second));
}

void WideContainers::WriteBack(Value& value, std::uint32_t levels) {
  if (levels == 0) return;
  if (value.is_array()) {
    WriteBackList(value);
    for (Value& item : value.items()) WriteBack(item, levels - 1);
  } else if (value.is_object()) {
    WriteBackObject(value);
    for (Member& member : value.members()) WriteBack(member.value, levels - 1);
  }
}

void WideContainers::WriteBackList(Value& list) {
  const auto found = items_.find(list.items().data());
  if (found == items_.end()) return;
  const Items items = std::move(found->second);
  items_.erase(found);
  // Copy to a new array: the list may have grown, and its old memory is not reused.
  Value whole = document_.NewArray(items.size);
  for (const Chunk& chunk : items.chunks) {
    for (const Value& item : chunk) document_.Append(whole, item);
  }
  whole.set_line(list.line());
  list = whole;
}

void WideContainers::WriteBackObject(Value& object) {
  const auto found = members_.find(object.members().data());
  if (found == members_.end()) return;
  const std::vector<bool> is_gone = std::move(found->second.is_gone);
  members_.erase(found);
  if (is_gone.empty()) return;
  const std::span<Member> all = object.members();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i < is_gone.size() && is_gone[i]) continue;
    all[kept++] = all[i];
  }
  Document::Truncate(object, kept);
}

}  // namespace plimsoll::codec
