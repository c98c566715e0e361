#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace plimsoll::store::etcd {

/// Half-open range of keys, [begin, end), as in etcd's API.
struct KeyRange {
  std::string begin;
  std::string end;

  bool Contains(std::string_view key) const { return begin <= key && key < end; }
  bool is_empty() const { return end <= begin; }

  friend bool operator==(const KeyRange&, const KeyRange&) = default;
};

/// Maps the store's keys to etcd's: `<root>/pods/ns/a` in the store is `<prefix>/pods/ns/a` in
/// etcd. Both default to `/registry`. Another prefix lets several clusters share one etcd.
class KeyMap {
 public:
  /// Trailing slashes are ignored.
  KeyMap(std::string_view root, std::string_view prefix);

  /// Returns etcd's key, or nothing if `key` does not begin with the root and a slash.
  std::optional<std::string> ToEtcd(std::string_view key) const;
  /// Inverse of ToEtcd. REQUIRES: ToEtcd returned `key`.
  std::string FromEtcd(std::string_view key) const;
  /// Returns etcd's keys for store keys that begin with `prefix` and are greater than `after`.
  KeyRange RangeOf(std::string_view prefix, std::string_view after) const;

  /// Returns the prefix of every store key: the root with its slash.
  const std::string& root() const { return root_; }

 private:
  std::string root_;    // ends with a slash
  std::string prefix_;  // ends with a slash
};

}  // namespace plimsoll::store::etcd
