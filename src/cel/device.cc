#include "cel/device.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "base/semver.h"
#include "cel/library/make_value.h"
#include "cel/library/quantity_value.h"
#include "cel/library/semver_value.h"

namespace plimsoll::cel {
namespace {

using Bound = std::expected<Value, std::string>;
/// Values by domain, then by id; sorted, so that iteration is deterministic.
using Domains = std::map<std::string_view, std::map<std::string_view, Value>>;

struct QualifiedName {
  std::string_view domain;
  std::string_view id;
};

QualifiedName Qualify(std::string_view name, std::string_view driver) {
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos) return {driver, name};
  return {name.substr(0, slash), name.substr(slash + 1)};
}

/// Converts an attribute's value to a cel::Value.
struct BindAttribute {
  Arena& arena;

  Bound operator()(std::monostate) const {
    return std::unexpected(std::string("unsupported attribute value"));
  }
  Bound operator()(std::int64_t value) const { return Value::Int(value); }
  Bound operator()(bool value) const { return Value::Bool(value); }
  Bound operator()(std::string_view text) const { return Value::String(text); }
  Bound operator()(VersionText version) const {
    if (const std::optional<SemverView> read = ReadSemver(version.text)) {
      return Value::Opaque(arena.Own<SemverValue>(*read));
    }
    return std::unexpected("parse semantic version: " + ParseSemver(version.text).error().message);
  }
  template <class T>
  Bound operator()(const std::vector<T>& items) const {
    std::vector<Value> values;
    for (const T item : items) {
      Bound bound = (*this)(item);
      if (!bound) return bound;
      values.push_back(*bound);
    }
    return MakeList(arena, values);
  }
};

std::span<const MapValue::Entry> KeepEntries(std::span<const MapValue::Entry> entries,
                                             Arena& arena) {
  MapValue::Entry* const kept = arena.Allocate<MapValue::Entry>(entries.size());
  std::ranges::copy(entries, kept);
  return {kept, entries.size()};
}

Value MapOf(const Domains& domains, Arena& arena) {
  std::vector<MapValue::Entry> outer;
  for (const auto& [domain, ids] : domains) {
    std::vector<MapValue::Entry> inner;
    for (const auto& [id, value] : ids) inner.push_back({Value::String(id), value});
    outer.push_back(
        {Value::String(domain), Value::Map(MapValue::Make(KeepEntries(inner, arena), arena))});
  }
  const Value* const missing = arena.Own<Value>(Value::Map(MapValue::Make({}, arena)));
  return Value::Map(MapValue::MakeWithDefault(KeepEntries(outer, arena), missing, arena));
}

}  // namespace

std::expected<Value, std::string> BindDevice(const DeviceFacts& facts, DeviceMode mode,
                                             Arena& arena) {
  Domains attributes;
  for (const DeviceAttribute& attribute : facts.attributes) {
    Bound bound = std::visit(BindAttribute{arena}, attribute.value);
    if (!bound) {
      return std::unexpected("attribute " + std::string(attribute.name) + ": " + bound.error());
    }
    const QualifiedName name = Qualify(attribute.name, facts.driver);
    attributes[name.domain][name.id] = *bound;
  }
  Domains capacity;
  for (const DeviceCapacity& amount : facts.capacity) {
    const QualifiedName name = Qualify(amount.name, facts.driver);
    capacity[name.domain][name.id] = Value::Opaque(arena.Own<QuantityValue>(amount.value));
  }
  const ObjectType& type = DeviceType(mode);
  Value* const fields = arena.Allocate<Value>(type.fields.size());
  fields[0] = Value::String(facts.driver);
  fields[1] = MapOf(attributes, arena);
  fields[2] = MapOf(capacity, arena);
  if (type.fields.size() > 3) fields[3] = Value::Bool(facts.allow_multiple_allocations);
  return Value::Object(arena.Own<ObjectValue>(&type, fields));
}

}  // namespace plimsoll::cel
