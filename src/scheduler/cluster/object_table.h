#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "scheduler/cluster/pod_class.h"

namespace plimsoll::scheduler {

/// Objects of one kind, by namespace and name. For kinds that plugins read and that are few
/// compared to pods and nodes. `version` increases with every change, so that caches can detect
/// staleness.
class ObjectTable {
 public:
  void Put(ObjectPtr object);
  void Erase(std::string_view namespace_, std::string_view name);
  /// Returns null if there is none. The namespace is empty for cluster-scoped kinds.
  ObjectPtr Find(std::string_view namespace_, std::string_view name) const;

  /// Calls `visit(object)` in the order of namespace and name.
  template <class Visitor>
  void ForEach(Visitor&& visit) const {
    for (const auto& [key, object] : objects_) visit(object);
  }
  /// Same, for one namespace.
  template <class Visitor>
  void ForEachIn(std::string_view namespace_, Visitor&& visit) const {
    for (auto at = objects_.lower_bound(Key(namespace_, {})); at != objects_.end(); ++at) {
      if (at->first.first != namespace_) return;
      visit(at->second);
    }
  }

  std::size_t size() const { return objects_.size(); }
  std::uint64_t version() const { return version_; }

 private:
  using Key = std::pair<std::string_view, std::string_view>;  // refers to texts of the object

  std::map<Key, ObjectPtr> objects_;
  std::uint64_t version_ = 1;
};

}  // namespace plimsoll::scheduler
