#include "codec/value.h"

#include <algorithm>
#include <vector>

namespace plimsoll::codec {
namespace {

std::vector<const Member*> InOrderOfKeys(std::span<const Member> members) {
  std::vector<const Member*> order;
  order.reserve(members.size());
  for (const Member& member : members) order.push_back(&member);
  std::ranges::sort(order, {}, &Member::key);
  return order;
}

bool SameMembers(std::span<const Member> a, std::span<const Member> b) {
  if (a.size() != b.size()) return false;
  // Fast path: both objects usually have the same members in the same order.
  std::size_t same = 0;
  while (same < a.size() && a[same].key == b[same].key) {
    if (!(a[same].value == b[same].value)) return false;
    ++same;
  }
  const auto rest_a = InOrderOfKeys(a.subspan(same));
  const auto rest_b = InOrderOfKeys(b.subspan(same));
  return std::ranges::equal(rest_a, rest_b, [](const Member* left, const Member* right) {
    return left->key == right->key && left->value == right->value;
  });
}

}  // namespace

const Value* Value::Find(std::string_view key) const {
  for (const Member& member : members()) {
    if (member.key == key) return &member.value;
  }
  return nullptr;
}

Value* Value::Find(std::string_view key) {
  for (Member& member : members()) {
    if (member.key == key) return &member.value;
  }
  return nullptr;
}

bool operator==(const Value& a, const Value& b) {
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case Value::Kind::Null:
      return true;
    case Value::Kind::Bool:
    case Value::Kind::Int:
      return a.int_ == b.int_;
    case Value::Kind::Number:
    case Value::Kind::String:
      return a.text() == b.text();
    case Value::Kind::Array:
      return std::ranges::equal(a.items(), b.items());
    case Value::Kind::Object:
      return SameMembers(a.members(), b.members());
  }
  return false;
}

}  // namespace plimsoll::codec
