#pragma once

#include <cstdint>
#include <vector>

#include "scheduler/cluster/pod_class.h"

namespace plimsoll::scheduler {

/// Something kept for each class of pods. An id that another class bears by now starts anew, so
/// there are never more of them than there once were classes.
template <class T>
class ClassCache {
 public:
  /// Fresh for a class that was not asked about before. Good until the next call.
  T& operator[](const PodClass& pod_class) {
    if (pod_class.id >= entries_.size()) entries_.resize(pod_class.id + 1);
    Entry& entry = entries_[pod_class.id];
    if (entry.serial != pod_class.serial) entry = {pod_class.serial, T()};
    return entry.value;
  }
  /// Calls `visit(class id, serial, value)` for each class that was asked about.
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
    std::uint64_t serial = 0;  // of no class
    T value{};
  };
  std::vector<Entry> entries_;  // by ClassId
};

}  // namespace plimsoll::scheduler
