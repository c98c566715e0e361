#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace plimsoll {

/// A semantic version 2.0.0 that looks into the text it was read from. Build metadata is kept but
/// takes no part in comparison. The parts behind the numbers stay one text, however many there are:
/// they are told apart when two versions are compared, which is rare beside reading them.
struct SemverView {
  std::uint64_t major = 0;
  std::uint64_t minor = 0;
  std::uint64_t patch = 0;
  std::string_view prerelease;  // rc.1; empty: a release
  std::string_view build;       // empty: none

  /// `1.2.3-rc.1+build`
  std::string Text() const;
  /// `1.2.3`, without pre-release and build.
  std::string Finalized() const;
};

/// A version that holds its texts itself.
struct Semver {
  std::uint64_t major = 0;
  std::uint64_t minor = 0;
  std::uint64_t patch = 0;
  std::string prerelease;
  std::string build;

  operator SemverView() const { return {major, minor, patch, prerelease, build}; }
  std::string Text() const { return SemverView(*this).Text(); }
  std::string Finalized() const { return SemverView(*this).Finalized(); }
};

/// Precedence: a release is greater than its pre-releases, numbers below texts, a longer list
/// greater than its prefix. Weak, as versions that differ in build metadata only are equivalent.
std::weak_ordering Compare(const SemverView& a, const SemverView& b);

/// Reads exactly semver 2.0.0, and allocates nothing.
std::optional<SemverView> ReadSemver(std::string_view text);

/// Likewise, and says what is wrong with another text. Messages are blang/semver's.
Result<Semver> ParseSemver(std::string_view text);

/// Accepts also surrounding blanks, one leading `v`, missing minor or patch, and leading zeros.
/// Messages are blang/semver's ParseTolerant's.
Result<Semver> ParseSemverTolerant(std::string_view text);

/// Whether a part of a pre-release is a number: digits alone.
bool IsSemverNumber(std::string_view part);

}  // namespace plimsoll
