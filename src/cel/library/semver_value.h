#pragma once

#include <string>

#include "base/semver.h"
#include "cel/value.h"

namespace plimsoll::cel {

/// `kubernetes.Semver`. The texts of the version belong to the arena or the argument.
class SemverValue final : public OpaqueValue {
 public:
  explicit SemverValue(const SemverView& version) : version_(version) {}

  const SemverView& version() const { return version_; }

  const Type* type() const override;
  Value Equals(Evaluation& evaluation, const Value& other) const override;
  std::string Text() const override { return version_.Text(); }
  std::string_view maker() const override { return "semver"; }

 private:
  SemverView version_;
};

}  // namespace plimsoll::cel
