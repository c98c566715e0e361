#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "api/resource/resource_slice.h"

/// matchAttribute and distinctAttribute.
namespace plimsoll::dra {

/// By its full name, `domain/id`, or by the id alone where the domain is the driver's. Null when
/// the device does not have it.
const cel::AttributeValue* FindAttribute(const api::Device& device, std::string_view name);

/// Of the same type and equal; lists never are.
bool IsSameValue(const cel::AttributeValue& a, const cel::AttributeValue& b);

/// The values of the devices that a constraint has seen, in the order of their allocation.
struct SeenValue {
  const cel::AttributeValue* value = nullptr;
  std::uint32_t device = 0;  // the caller's number of it
};
using SeenValues = std::vector<SeenValue>;

/// Whether a device with that value may join them; null: it does not have the attribute.
bool MayJoin(bool is_match, const SeenValues& seen, const cel::AttributeValue* value);

}  // namespace plimsoll::dra
