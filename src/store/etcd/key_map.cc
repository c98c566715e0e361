#include "store/etcd/key_map.h"

#include <algorithm>

#include "base/assert.h"

namespace plimsoll::store::etcd {
namespace {

std::string WithSlash(std::string_view path) {
  while (path.ends_with('/')) path.remove_suffix(1);
  return std::string(path) + "/";
}

/// Returns the least key that is greater than every key with this prefix.
std::string PrefixEnd(std::string prefix) {
  while (!prefix.empty() && prefix.back() == '\xff') prefix.pop_back();
  PL_ASSERT(!prefix.empty());
  prefix.back() = static_cast<char>(static_cast<unsigned char>(prefix.back()) + 1);
  return prefix;
}

}  // namespace

KeyMap::KeyMap(std::string_view root, std::string_view prefix)
    : root_(WithSlash(root)), prefix_(WithSlash(prefix)) {}

std::optional<std::string> KeyMap::ToEtcd(std::string_view key) const {
  if (!key.starts_with(root_)) return std::nullopt;
  return prefix_ + std::string(key.substr(root_.size()));
}

std::string KeyMap::FromEtcd(std::string_view key) const {
  PL_ASSERT(key.starts_with(prefix_));
  return root_ + std::string(key.substr(prefix_.size()));
}

KeyRange KeyMap::RangeOf(std::string_view prefix, std::string_view after) const {
  KeyRange range{prefix_, PrefixEnd(prefix_)};
  if (prefix.starts_with(root_)) {
    range.begin = *ToEtcd(prefix);
    range.end = PrefixEnd(range.begin);
  } else if (!std::string_view(root_).starts_with(prefix)) {
    return {};
  }
  if (after.starts_with(root_)) {
    // The least key that is greater than `after`.
    std::string next = *ToEtcd(after);
    next.push_back('\0');
    range.begin = std::max(range.begin, next);
  } else if (after > root_) {
    return {};
  }
  return range.is_empty() ? KeyRange() : range;
}

}  // namespace plimsoll::store::etcd
