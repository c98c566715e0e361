#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "api/resource/resource_slice.h"

/// The constraints matchAttribute and distinctAttribute.
namespace plimsoll::dra {

/// Finds an attribute by its full name, `domain/id`, or by the id alone if the domain is the
/// driver's. Returns null if the device does not have it.
const cel::AttributeValue* FindAttribute(const api::Device& device, std::string_view name);

/// Returns true if both have the same type and are equal. Lists are never equal.
bool IsSameValue(const cel::AttributeValue& a, const cel::AttributeValue& b);

/// Value of a device that a constraint has seen. SeenValues are in the order of allocation.
struct SeenValue {
  const cel::AttributeValue* value = nullptr;
  std::uint32_t device = 0;  // index chosen by the caller
};
using SeenValues = std::vector<SeenValue>;

/// Returns true if a device with this value may join them. Null: it lacks the attribute.
bool MayJoin(bool is_match, const SeenValues& seen, const cel::AttributeValue* value);

}  // namespace plimsoll::dra
