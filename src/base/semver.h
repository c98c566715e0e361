#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace plimsoll {

/// A semantic version 2.0.0 as a view into the parsed text. Build metadata is kept, but comparison
/// ignores it. Pre-release and build metadata stay one text each. Only comparison splits them into
/// parts, because it is rarer than parsing.
struct SemverView {
  std::uint64_t major = 0;
  std::uint64_t minor = 0;
  std::uint64_t patch = 0;
  std::string_view prerelease;  // such as `rc.1`; empty: a release
  std::string_view build;       // empty: none

  /// `1.2.3-rc.1+build`
  std::string Text() const;
  /// `1.2.3`, without pre-release and build.
  std::string Finalized() const;
};

/// A version that owns its texts.
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

/// Compares by semver precedence: a release is greater than its pre-releases, numbers are less than
/// texts, a list is greater than its prefix. Versions that differ only in build are equivalent.
std::weak_ordering Compare(const SemverView& a, const SemverView& b);

/// Parses exactly semver 2.0.0, without allocation.
std::optional<SemverView> ReadSemver(std::string_view text);

/// Same as ReadSemver, but with an error for other texts. The messages are blang/semver's.
Result<Semver> ParseSemver(std::string_view text);

/// Also accepts surrounding blanks, one leading `v`, missing minor or patch, and leading zeros.
/// The messages are those of blang/semver's ParseTolerant.
Result<Semver> ParseSemverTolerant(std::string_view text);

/// Returns true if this part of a pre-release is a number: digits only.
bool IsSemverNumber(std::string_view part);

}  // namespace plimsoll
