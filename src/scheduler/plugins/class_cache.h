#pragma once

#include <cstdint>
#include <vector>

#include "scheduler/cluster/pod_class.h"

namespace plimsoll::scheduler {

/// Cache with one value per class of pods. An entry is reset when its id is reused, so the size is
/// bounded by the highest number of classes.
template <class T>
class ClassCache {
 public:
  /// Returns the value, default-constructed for a new class. Valid until the next call.
  T& operator[](const PodClass& pod_class) {
    if (pod_class.id >= entries_.size()) entries_.resize(pod_class.id + 1);
    Entry& entry = entries_[pod_class.id];
    if (entry.serial != pod_class.serial) entry = {pod_class.serial, T()};
    return entry.value;
  }
  /// Calls `visit(class id, serial, value)` for each class with a value.
  template <class Visitor>
  void ForEach(Visitor&& visit) {
    for (std::size_t id = 0; id < entries_.size(); ++id) {
      Entry& entry = entries_[id];
      if (entry.serial != 0) visit(static_cast<ClassId>(id), entry.serial, entry.value);
    }
  }
  void Clear() { entries_.clear(); }

 private:
  struct Entry {
    std::uint64_t serial = 0;  // 0: no class
    T value{};
  };
  std::vector<Entry> entries_;  // indexed by ClassId
};

}  // namespace plimsoll::scheduler
