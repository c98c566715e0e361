#pragma once

#include "apiserver/admission/admission.h"
#include "apiserver/cache/cache.h"

namespace plimsoll::apiserver {

/// Sets priority and preemptionPolicy of a pod from its PriorityClass or the default class. Rejects
/// a second default class.
class Priority final : public Admission {
 public:
  /// `classes` is the resource priorityclasses. Both references must outlive this object.
  Priority(const Cache& cache, const Resource& classes) : cache_(cache), classes_(classes) {}

  std::string_view Name() const override { return "Priority"; }
  api::Answer<void> Admit(AdmissionAttributes& attributes) override;
  api::Answer<void> Validate(const AdmissionAttributes& attributes) override;

 private:
  struct Resolved {
    std::string name;
    std::int64_t value = 0;
    std::string preemption_policy = "PreemptLowerPriority";
  };
  api::Answer<Resolved> Resolve(std::string_view name, std::string_view pod) const;
  Resolved Default() const;

  const Cache& cache_;
  const Resource& classes_;
};

}  // namespace plimsoll::apiserver
