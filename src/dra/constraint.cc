#include "dra/constraint.h"

#include <algorithm>
#include <cstdint>
#include <variant>

namespace plimsoll::dra {
namespace {

const cel::AttributeValue* FindExactly(const api::Device& device, std::string_view name) {
  const auto& attributes = device.facts.attributes;
  const auto at = std::ranges::lower_bound(attributes, name, {}, &cel::DeviceAttribute::name);
  return at == attributes.end() || at->name != name ? nullptr : &at->value;
}

struct SameValue {
  bool operator()(std::int64_t a, std::int64_t b) const { return a == b; }
  bool operator()(bool a, bool b) const { return a == b; }
  bool operator()(std::string_view a, std::string_view b) const { return a == b; }
  bool operator()(cel::VersionText a, cel::VersionText b) const { return a.text == b.text; }
  template <class A, class B>
  bool operator()(const A& /*a*/, const B& /*b*/) const {
    return false;
  }
};

bool IsSingle(const cel::AttributeValue& value) {
  return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<bool>(value) ||
         std::holds_alternative<std::string_view>(value) ||
         std::holds_alternative<cel::VersionText>(value);
}

}  // namespace

const cel::AttributeValue* FindAttribute(const api::Device& device, std::string_view name) {
  if (const cel::AttributeValue* const value = FindExactly(device, name)) return value;
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos || name.substr(0, slash) != device.facts.driver) {
    return nullptr;
  }
  return FindExactly(device, name.substr(slash + 1));
}

bool IsSameValue(const cel::AttributeValue& a, const cel::AttributeValue& b) {
  return std::visit(SameValue{}, a, b);
}

bool MayJoin(bool is_match, const SeenValues& seen, const cel::AttributeValue* value) {
  if (value == nullptr) return false;
  if (seen.empty()) return true;
  if (is_match) return IsSameValue(*seen.front().value, *value);
  return std::ranges::all_of(seen, [&](const SeenValue& one) {
    return IsSingle(*one.value) && !IsSameValue(*one.value, *value);
  });
}

}  // namespace plimsoll::dra
