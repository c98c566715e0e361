#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace plimsoll {

/// A semantic version 2.0.0. Build metadata is kept but takes no part in comparison. The parts
/// behind the numbers stay one text, however many there are: they are told apart when two versions
/// are compared, which is rare beside reading them.
struct Semver {
  std::uint64_t major = 0;
  std::uint64_t minor = 0;
  std::uint64_t patch = 0;
  std::string prerelease;  // rc.1; empty: a release
  std::string build;       // empty: none

  /// `1.2.3-rc.1+build`
  std::string Text() const;
  /// `1.2.3`, without pre-release and build.
  std::string Finalized() const;
};

/// Precedence: a release is greater than its pre-releases, numbers below texts, a longer list
/// greater than its prefix. Weak, as versions that differ in build metadata only are equivalent.
std::weak_ordering Compare(const Semver& a, const Semver& b);

/// Accepts exactly semver 2.0.0. Messages are blang/semver's.
Result<Semver> ParseSemver(std::string_view text);

/// Accepts also surrounding blanks, one leading `v`, missing minor or patch, and leading zeros.
/// Messages are blang/semver's ParseTolerant's.
Result<Semver> ParseSemverTolerant(std::string_view text);

/// Whether a part of a pre-release is a number: digits alone.
bool IsSemverNumber(std::string_view part);

}  // namespace plimsoll
