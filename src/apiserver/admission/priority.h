#pragma once

#include "apiserver/admission/admission.h"
#include "apiserver/cache/cache.h"

namespace plimsoll::apiserver {

/// Writes into a pod what its priority class, or the default one, says; and lets no second class
/// be the default.
class Priority final : public Admission {
 public:
  /// `classes` is the resource priorityclasses. Both must outlive it.
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
