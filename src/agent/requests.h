#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "api/core/pod.h"
#include "base/interner.h"

namespace plimsoll::agent {

/// Amounts of resources by name: processor time in thousandths, everything else in units. In the
/// order of the ids, which are an interner's. Of 50,000 pods, so kept small.
class Amounts {
 public:
  struct Entry {
    Interner::Id resource = Interner::kNone;
    std::int64_t amount = 0;

    friend bool operator==(const Entry&, const Entry&) = default;
  };

  /// 0 when it is not there.
  std::int64_t Of(Interner::Id resource) const;
  void Set(Interner::Id resource, std::int64_t amount);
  void Add(const Amounts& other);
  /// Adds only to those that it has itself.
  void AddToOwn(const Amounts& other);
  void Subtract(const Amounts& other);
  /// The greater of the two, for each resource.
  void RaiseTo(const Amounts& other);

  const std::vector<Entry>& entries() const { return entries_; }

  friend bool operator==(const Amounts&, const Amounts&) = default;

 private:
  std::vector<Entry> entries_;
};

/// `names` gets a reference to each name, which is never dropped: there are few.
Amounts ReadAmounts(const api::ResourceList& list, Interner& names);

/// What a pod takes of its node: containers added up; init containers one at a time beside the
/// sidecars that started before them; requests of the pod as a whole in place of its containers';
/// overhead on top.
Amounts RequestsOf(const api::PodSpec& spec, Interner& names);

}  // namespace plimsoll::agent
