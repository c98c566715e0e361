#pragma once

#include <string>

#include "base/semver.h"
#include "cel/value.h"

namespace plimsoll::cel {

/// `kubernetes.Semver`
class SemverValue final : public OpaqueValue {
 public:
  explicit SemverValue(Semver version) : version_(std::move(version)) {}

  const Semver& version() const { return version_; }

  const Type* type() const override;
  Value Equals(Evaluation& evaluation, const Value& other) const override;
  std::string Text() const override { return version_.Text(); }

 private:
  Semver version_;
};

}  // namespace plimsoll::cel
