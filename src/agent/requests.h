#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "api/core/pod.h"
#include "base/interner.h"

namespace plimsoll::agent {

/// Amounts of resources: cpu in thousandths, everything else in units. Sorted by the interned ids
/// of the resource names. Compact, because there may be 50,000 pods.
class Amounts {
 public:
  struct Entry {
    Interner::Id resource = Interner::kNone;
    std::int64_t amount = 0;

    friend bool operator==(const Entry&, const Entry&) = default;
  };

  /// Returns 0 if there is no such resource.
  std::int64_t Of(Interner::Id resource) const;
  void Set(Interner::Id resource, std::int64_t amount);
  void Add(const Amounts& other);
  /// Adds only the resources that this object has itself.
  void AddToOwn(const Amounts& other);
  void Subtract(const Amounts& other);
  /// Sets each resource to the larger of the two amounts.
  void RaiseTo(const Amounts& other);

  const std::vector<Entry>& entries() const { return entries_; }

  friend bool operator==(const Amounts&, const Amounts&) = default;

 private:
  std::vector<Entry> entries_;
};

/// `names` keeps a reference to each name for ever; there are few.
Amounts ReadAmounts(const api::ResourceList& list, Interner& names);

/// Returns a pod's resource requests, plus its overhead. Containers are added up. Init containers
/// count one at a time, beside the sidecars started before them. Pod-level requests replace those
/// of the containers.
Amounts RequestsOf(const api::PodSpec& spec, Interner& names);

}  // namespace plimsoll::agent
