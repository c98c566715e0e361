#include "controller/workload/template_hash.h"

#include <algorithm>
#include <string>
#include <vector>

namespace plimsoll::controller {
namespace {

/// FNV-1a, 32 bits.
class Hasher {
 public:
  void Add(std::string_view text) {
    for (const char byte : text) AddByte(static_cast<unsigned char>(byte));
    AddByte(0xff);  // never in UTF-8: separates texts
  }
  void AddTree(const codec::Value& tree) {
    AddByte(static_cast<unsigned char>(tree.kind()));
    switch (tree.kind()) {
      case codec::Value::Kind::Null:
        break;
      case codec::Value::Kind::Bool:
        AddByte(tree.AsBool() ? 1 : 0);
        break;
      case codec::Value::Kind::Int:
        Add(std::to_string(tree.AsInt()));
        break;
      case codec::Value::Kind::Number:
      case codec::Value::Kind::String:
        Add(tree.text());
        break;
      case codec::Value::Kind::Array:
        for (const codec::Value& item : tree.items()) AddTree(item);
        break;
      case codec::Value::Kind::Object:
        AddMembers(tree);
        break;
    }
    AddByte(0xfe);
  }
  std::uint32_t value() const { return value_; }

 private:
  void AddByte(unsigned char byte) { value_ = (value_ ^ byte) * 16777619u; }
  void AddMembers(const codec::Value& tree) {
    std::vector<const codec::Member*> members;
    for (const codec::Member& member : tree.members()) members.push_back(&member);
    std::ranges::sort(members, {}, &codec::Member::key);
    for (const codec::Member* const member : members) {
      Add(member->key);
      AddTree(member->value);
    }
  }

  std::uint32_t value_ = 2166136261u;
};

/// Returns true if `b` has all members of `a` with equal values, except for one key.
bool Covers(const codec::Value* a, const codec::Value* b, std::string_view except) {
  if (a == nullptr) return true;
  return std::ranges::all_of(a->members(), [&](const codec::Member& member) {
    if (member.key == except) return true;
    const codec::Value* const other = b == nullptr ? nullptr : b->Find(member.key);
    return other != nullptr && *other == member.value;
  });
}

bool SameExcept(const codec::Value* a, const codec::Value* b, std::string_view except) {
  return Covers(a, b, except) && Covers(b, a, except);
}

}  // namespace

std::string TemplateHash(const codec::Value& tree, std::optional<std::int64_t> collision_count) {
  // No vowels and no characters that look like them, so that no words appear.
  static constexpr std::string_view kLetters = "bcdfghjklmnpqrstvwxz2456789";
  Hasher hasher;
  hasher.AddTree(tree);
  if (collision_count) hasher.Add(std::to_string(*collision_count));
  std::string hash = std::to_string(hasher.value());
  for (char& digit : hash) digit = kLetters[static_cast<unsigned char>(digit) % kLetters.size()];
  return hash;
}

bool SameTemplate(const codec::Value* a, const codec::Value* b) {
  if (a == nullptr || b == nullptr) return a == b;
  if (!SameExcept(a, b, "metadata")) return false;
  const codec::Value* const meta_a = a->Find("metadata");
  const codec::Value* const meta_b = b->Find("metadata");
  if (!SameExcept(meta_a, meta_b, "labels")) return false;
  return SameExcept(meta_a == nullptr ? nullptr : meta_a->Find("labels"),
                    meta_b == nullptr ? nullptr : meta_b->Find("labels"), kPodTemplateHash);
}

}  // namespace plimsoll::controller
