#pragma once

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "codec/value.h"

namespace plimsoll::codec {

/// Finds members by key. Repeated linear search would be quadratic in the width of an object, which
/// a client chooses. Small objects are still searched linearly, because that is fastest.
class MemberIndex {
 public:
  explicit MemberIndex(const Value& object) : members_(object.members()) {
    if (members_.size() <= kFew) return;
    sorted_.reserve(members_.size());
    for (const Member& member : members_) sorted_.push_back(&member);
    std::ranges::sort(sorted_, {}, &Member::key);
  }

  /// Returns null if there is no such member.
  const Value* Find(std::string_view key) const {
    if (members_.size() <= kFew) {
      const auto found = std::ranges::find(members_, key, &Member::key);
      return found == members_.end() ? nullptr : &found->value;
    }
    const auto found = std::ranges::lower_bound(sorted_, key, {}, &Member::key);
    return found == sorted_.end() || (*found)->key != key ? nullptr : &(*found)->value;
  }

 private:
  static constexpr std::size_t kFew = 16;

  std::span<const Member> members_;
  std::vector<const Member*> sorted_;
};

}  // namespace plimsoll::codec
