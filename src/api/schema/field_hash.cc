#include "api/schema/field_hash.h"

#include <algorithm>
#include <bit>

#include "base/random.h"

namespace plimsoll::api {
namespace {

constexpr std::uint8_t kNoField = 0xFF;
constexpr int kTriesPerSize = 200;
constexpr unsigned kBitsMax = 12;

/// Returns false if two fields get the same slot.
bool FillSlots(const TypeDesc& type, std::vector<std::uint8_t>& slots) {
  return std::ranges::all_of(type.fields, [&](const FieldDesc& field) {
    std::uint8_t& slot = slots[(KeyBits(field.name) * type.multiplier) >> type.shift];
    if (slot != kNoField) return false;
    slot = static_cast<std::uint8_t>(&field - type.fields.data());
    return true;
  });
}

}  // namespace

void AddFieldHash(TypeDesc& type, std::vector<std::uint8_t>& slots) {
  if (type.fields.empty() || type.fields.size() >= kNoField) return;
  Random random(1);
  const auto bits_min = static_cast<unsigned>(std::bit_width(2 * type.fields.size() - 1));
  for (unsigned bits = bits_min; bits <= kBitsMax; ++bits) {
    type.shift = static_cast<std::uint8_t>(64 - bits);
    for (int tries = 0; tries < kTriesPerSize; ++tries) {
      type.multiplier = random.Next() | 1;
      slots.assign(std::size_t{1} << bits, kNoField);
      if (!FillSlots(type, slots)) continue;
      type.slots = slots;
      return;
    }
  }
}

}  // namespace plimsoll::api
