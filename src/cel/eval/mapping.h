#pragma once

#include <cstddef>

#include "cel/environment.h"
#include "cel/value.h"

/// Uniform access to maps and host structures, which expressions see as maps from field names.
namespace plimsoll::cel {

inline bool IsMapping(const Value& value) {
  return value.is(ValueKind::Map) || value.is(ValueKind::Object);
}

inline std::size_t MappingSize(const Value& mapping) {
  return mapping.is(ValueKind::Map) ? mapping.map().size() : mapping.object().type().fields.size();
}

inline Value MappingKey(const Value& mapping, std::size_t place) {
  if (mapping.is(ValueKind::Map)) return mapping.map().entries()[place].key;
  return Value::String(mapping.object().type().fields[place].name);
}

inline const Value& MappingValue(const Value& mapping, std::size_t place) {
  if (mapping.is(ValueKind::Map)) return mapping.map().entries()[place].value;
  return mapping.object().field(place);
}

/// Returns nullptr if there is no such key.
inline const Value* MappingFind(const Value& mapping, const Value& key) {
  if (mapping.is(ValueKind::Map)) return mapping.map().Find(key);
  return key.is(ValueKind::String) ? mapping.object().Find(key.text()) : nullptr;
}

inline bool MappingContains(const Value& mapping, const Value& key) {
  if (mapping.is(ValueKind::Map)) return mapping.map().Contains(key);
  return MappingFind(mapping, key) != nullptr;
}

}  // namespace plimsoll::cel
