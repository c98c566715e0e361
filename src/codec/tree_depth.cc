#include "codec/tree_depth.h"

#include <utility>
#include <vector>

namespace plimsoll::codec {

bool IsDeeperThan(const Value& root, std::uint32_t depth_max) {
  std::vector<std::pair<const Value*, std::uint32_t>> open{{&root, 1}};
  while (!open.empty()) {
    const auto [value, depth] = open.back();
    open.pop_back();
    if (!value->is_array() && !value->is_object()) continue;
    if (depth > depth_max) return true;
    for (const Value& item : value->items()) open.emplace_back(&item, depth + 1);
    for (const Member& member : value->members()) open.emplace_back(&member.value, depth + 1);
  }
  return false;
}

}  // namespace plimsoll::codec
