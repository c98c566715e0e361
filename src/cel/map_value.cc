#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "cel/number.h"
#include "cel/value.h"

namespace plimsoll::cel {
namespace {

constexpr std::uint32_t kEmptyPlace = UINT32_MAX;
/// Maps up to this size are searched linearly.
constexpr std::size_t kEntriesUnindexed = 8;
constexpr std::uint32_t kCapacityMin = 4;

std::size_t Mix(std::uint64_t bits) {
  bits ^= bits >> 32;
  bits *= 0x9E3779B97F4A7C15u;
  return bits ^ (bits >> 29);
}

}  // namespace

bool SameKey(const Value& a, const Value& b) {
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case ValueKind::Null:
      return true;
    case ValueKind::Bool:
      return a.as_bool() == b.as_bool();
    case ValueKind::Int:
    case ValueKind::Duration:
      return a.as_int() == b.as_int();
    case ValueKind::Uint:
      return a.as_uint() == b.as_uint();
    case ValueKind::Double:
      return a.as_double() == b.as_double();
    case ValueKind::String:
    case ValueKind::Bytes:
      return a.text() == b.text();
    case ValueKind::Timestamp:
      return a.seconds() == b.seconds() && a.nanoseconds() == b.nanoseconds() &&
             a.offset_minutes() == b.offset_minutes();
    case ValueKind::Type:
      return a.type()->name() == b.type()->name();
    case ValueKind::Optional:
      return a.optional() == nullptr && b.optional() == nullptr;
    default:
      return false;
  }
}

std::size_t HashKey(const Value& key) {
  switch (key.kind()) {
    case ValueKind::Bool:
      return Mix(key.as_bool() ? 1 : 0);
    case ValueKind::Int:
    case ValueKind::Duration:
    case ValueKind::Timestamp:
      return Mix(static_cast<std::uint64_t>(key.as_int()));
    case ValueKind::Uint:
      return Mix(key.as_uint());
    case ValueKind::Double:
      // 0.0 and -0.0 are the same key.
      return Mix(std::bit_cast<std::uint64_t>(key.as_double() + 0.0));
    case ValueKind::String:
    case ValueKind::Bytes:
      return std::hash<std::string_view>()(key.text());
    case ValueKind::Type:
      return std::hash<std::string_view>()(key.type()->name());
    default:
      return 0;
  }
}

const MapValue* MapValue::Make(std::span<const Entry> entries, Arena& arena) {
  return MakeWithDefault(entries, nullptr, arena);
}

const MapValue* MapValue::MakeWithDefault(std::span<const Entry> entries, const Value* missing,
                                          Arena& arena) {
  auto* const made = new (arena.Allocate<MapValue>(1)) MapValue();
  made->entries_ = entries;
  made->missing_ = missing;
  if (entries.size() > kEntriesUnindexed) {
    made->Reserve(static_cast<std::uint32_t>(entries.size()), arena);
    for (std::uint32_t place = 0; place < entries.size(); ++place) made->Index(place);
  }
  return made;
}

const MapValue* MapValue::Collect(std::span<Entry> entries, Arena& arena) {
  auto* const made = new (arena.Allocate<MapValue>(1)) MapValue();
  if (entries.size() > kEntriesUnindexed) {
    made->Reserve(static_cast<std::uint32_t>(entries.size()), arena);
  }
  std::uint32_t size = 0;
  for (const Entry& entry : entries) {
    if (const Entry* const same = made->FindSame(entry.key); same != nullptr) {
      entries[static_cast<std::size_t>(same - entries.data())].value = entry.value;
      continue;
    }
    entries[size++] = entry;
    made->entries_ = entries.first(size);
    if (made->index_ != nullptr) made->Index(size - 1);
  }
  return made;
}

const MapValue* MapValue::Insert(const MapValue* map, const Entry& entry, Arena& arena) {
  auto* const made = new (arena.Allocate<MapValue>(1)) MapValue(*map);
  const auto size = static_cast<std::uint32_t>(map->size());
  if (size == map->capacity_ || map->room_ == nullptr) {
    made->capacity_ = std::max(kCapacityMin, size * 2);
    made->room_ = arena.Allocate<Entry>(made->capacity_);
    std::uninitialized_copy_n(map->entries_.data(), size, made->room_);
    made->entries_ = {made->room_, size};
    if (made->capacity_ > kEntriesUnindexed) {
      made->Reserve(made->capacity_, arena);
      for (std::uint32_t place = 0; place < size; ++place) made->Index(place);
    }
  }
  made->room_[size] = entry;
  made->entries_ = {made->room_, size + std::size_t{1}};
  if (made->index_ != nullptr) made->Index(size);
  return made;
}

/// Creates an empty index for this many entries, at most half full.
void MapValue::Reserve(std::uint32_t capacity, Arena& arena) {
  const std::uint32_t places = std::bit_ceil(capacity * 2);
  index_ = arena.Allocate<std::uint32_t>(places);
  std::fill_n(index_, places, kEmptyPlace);
  index_mask_ = places - 1;
}

void MapValue::Index(std::uint32_t place) {
  std::size_t at = HashKey(entries_[place].key) & index_mask_;
  while (index_[at] != kEmptyPlace) at = (at + 1) & index_mask_;
  index_[at] = place;
}

const MapValue::Entry* MapValue::FindSame(const Value& key) const {
  if (index_ == nullptr) {
    for (const Entry& entry : entries_) {
      if (SameKey(entry.key, key)) return &entry;
    }
    return nullptr;
  }
  for (std::size_t at = HashKey(key) & index_mask_; index_[at] != kEmptyPlace;
       at = (at + 1) & index_mask_) {
    const Entry& entry = entries_[index_[at]];
    if (SameKey(entry.key, key)) return &entry;
  }
  return nullptr;
}

const MapValue::Entry* MapValue::FindEntry(const Value& key) const {
  if (entries_.empty()) return nullptr;
  if (const Entry* const found = FindSame(key); found != nullptr) return found;
  switch (key.kind()) {
    case ValueKind::Double: {
      const std::optional<std::int64_t> as_int = ExactInt(key.as_double());
      const Entry* const found = as_int.has_value() ? FindSame(Value::Int(*as_int)) : nullptr;
      if (found != nullptr) return found;
      const std::optional<std::uint64_t> as_uint = ExactUint(key.as_double());
      return as_uint.has_value() ? FindSame(Value::Uint(*as_uint)) : nullptr;
    }
    case ValueKind::Int:
      return key.as_int() < 0 ? nullptr
                              : FindSame(Value::Uint(static_cast<std::uint64_t>(key.as_int())));
    case ValueKind::Uint:
      return key.as_uint() > INT64_MAX
                 ? nullptr
                 : FindSame(Value::Int(static_cast<std::int64_t>(key.as_uint())));
    default:
      return nullptr;
  }
}

const Value* MapValue::Find(const Value& key) const {
  const Entry* const found = FindEntry(key);
  if (found != nullptr) return &found->value;
  return key.is(ValueKind::String) ? missing_ : nullptr;
}

const Value* MapValue::Find(std::string_view key) const { return Find(Value::String(key)); }

}  // namespace plimsoll::cel
