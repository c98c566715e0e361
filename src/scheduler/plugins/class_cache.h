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
  void Clear() { entries_.clear(); }

 private:
  struct Entry {
    std::uint64_t serial = 0;  // of no class
    T value{};
  };
  std::vector<Entry> entries_;  // by ClassId
};

}  // namespace plimsoll::scheduler
