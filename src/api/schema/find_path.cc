#include "api/schema/find_path.h"

#include <charconv>

namespace plimsoll::api {
namespace {

using codec::Value;

/// The child for the path's next step, and the length of that step in bytes.
struct Child {
  const Value* value = nullptr;
  std::size_t step_bytes = 0;
};

Child ChildInBrackets(const Value& at, std::string_view path) {
  const std::size_t end = path.find(']');
  if (end == std::string_view::npos) return {};
  const std::string_view inside = path.substr(1, end - 1);
  if (at.is_object()) return {at.Find(inside), end + 1};
  std::size_t index = 0;
  const auto [stop, error] = std::from_chars(inside.data(), inside.data() + inside.size(), index);
  const auto items = at.items();
  if (error != std::errc{} || stop != inside.data() + inside.size() || index >= items.size()) {
    return {};
  }
  return {&items[index], end + 1};
}

/// Keys may contain dots, so the longest matching key is used.
Child ChildAfterDot(const Value& at, std::string_view path) {
  const std::size_t dot = path.starts_with('.') ? 1 : 0;
  path.remove_prefix(dot);
  Child best;
  for (const codec::Member& member : at.members()) {
    if (!path.starts_with(member.key) || member.key.size() + dot <= best.step_bytes) continue;
    const std::string_view rest = path.substr(member.key.size());
    if (rest.empty() || rest.front() == '.' || rest.front() == '[') {
      best = {&member.value, member.key.size() + dot};
    }
  }
  return best;
}

}  // namespace

const Value* FindPath(const Value& root, std::string_view path) {
  const Value* at = &root;
  while (!path.empty()) {
    const Child child = path.front() == '[' ? ChildInBrackets(*at, path) : ChildAfterDot(*at, path);
    if (child.value == nullptr) break;
    at = child.value;
    path.remove_prefix(child.step_bytes);
  }
  return at;
}

}  // namespace plimsoll::api
