#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "scheduler/cluster/pod_class.h"

namespace plimsoll::scheduler {

/// The objects of one kind, by namespace and name: those that plugins read and that are few beside
/// pods and nodes. `version` grows with every change, so that what was computed from them is known
/// to be old.
class ObjectTable {
 public:
  void Put(ObjectPtr object);
  void Erase(std::string_view namespace_, std::string_view name);
  /// Null when there is none. The namespace is empty for kinds without.
  ObjectPtr Find(std::string_view namespace_, std::string_view name) const;

  /// In the order of namespace and name.
  template <class Visitor>
  void ForEach(Visitor&& visit) const {
    for (const auto& [key, object] : objects_) visit(object);
  }
  /// Those of one namespace.
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
  using Key = std::pair<std::string_view, std::string_view>;  // texts of the object itself

  std::map<Key, ObjectPtr> objects_;
  std::uint64_t version_ = 1;
};

}  // namespace plimsoll::scheduler
