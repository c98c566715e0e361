#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace plimsoll::store::etcd {

/// Keys from one to before another, as etcd names a range.
struct KeyRange {
  std::string begin;
  std::string end;

  bool Contains(std::string_view key) const { return begin <= key && key < end; }
  bool is_empty() const { return end <= begin; }

  friend bool operator==(const KeyRange&, const KeyRange&) = default;
};

/// Where the store's keys lie in etcd: `<root>/pods/ns/a` there is `<prefix>/pods/ns/a` here. Both
/// are `/registry` unless somebody keeps several clusters in one etcd.
class KeyMap {
 public:
  /// Slashes at their ends do not count.
  KeyMap(std::string_view root, std::string_view prefix);

  /// Nothing: the key does not begin with the root and a slash.
  std::optional<std::string> ToEtcd(std::string_view key) const;
  /// Of a key that ToEtcd made.
  std::string FromEtcd(std::string_view key) const;
  /// Where all keys lie that begin so and come after the other, which may be empty.
  KeyRange RangeOf(std::string_view prefix, std::string_view after) const;

  /// What every key begins with: the root and its slash.
  const std::string& root() const { return root_; }

 private:
  std::string root_;    // with a slash at the end
  std::string prefix_;  // likewise
};

/// The first key behind all that begin so.
std::string BehindPrefix(std::string prefix);

}  // namespace plimsoll::store::etcd
