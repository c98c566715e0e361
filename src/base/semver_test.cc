#include "base/semver.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>

namespace plimsoll {
namespace {

struct ParseCase {
  std::string_view text;
  std::string_view strict;    // the printed version, or the message
  std::string_view tolerant;  // same, for ParseSemverTolerant
};

std::string Outcome(const Result<Semver>& result) {
  return result ? result->Text() : result.error().message;
}

TEST(SemverTest, Parses) {
  for (const ParseCase& row : {
           ParseCase{"1.2.3", "1.2.3", "1.2.3"},
           ParseCase{"1.2.3-rc.1+b.001", "1.2.3-rc.1+b.001", "1.2.3-rc.1+b.001"},
           ParseCase{"1.2.3+b-1", "1.2.3+b-1", "1.2.3+b-1"},
           ParseCase{"18446744073709551615.0.0", "18446744073709551615.0.0",
                     "18446744073709551615.0.0"},
           ParseCase{"535.104.05", "Patch number must not contain leading zeroes \"05\"",
                     "535.104.5"},
           ParseCase{"00.01.002-rc", "Major number must not contain leading zeroes \"00\"",
                     "0.1.2-rc"},
           ParseCase{"v1.2", "No Major.Minor.Patch elements found", "1.2.0"},
           ParseCase{"1", "No Major.Minor.Patch elements found", "1.0.0"},
           ParseCase{" 1.2.3\n", "Invalid character(s) found in major number \" 1\"", "1.2.3"},
           ParseCase{"1.2.-rc", R"(strconv.ParseUint: parsing "": invalid syntax)", "1.2.0-rc"},
           ParseCase{"1.2.+b", R"(strconv.ParseUint: parsing "": invalid syntax)", "1.2.0+b"},
           ParseCase{"1.2.-", R"(strconv.ParseUint: parsing "": invalid syntax)",
                     R"(strconv.ParseUint: parsing "": invalid syntax)"},
       }) {
    EXPECT_EQ(Outcome(ParseSemver(row.text)), row.strict) << row.text;
    EXPECT_EQ(Outcome(ParseSemverTolerant(row.text)), row.tolerant) << row.text;
  }
}

TEST(SemverTest, RefusesInUpstreamsWords) {
  constexpr std::string_view kEmptyNumber = R"(strconv.ParseUint: parsing "": invalid syntax)";
  for (const ParseCase& row : {
           ParseCase{"", "Version string empty", kEmptyNumber},
           ParseCase{"v", "No Major.Minor.Patch elements found", kEmptyNumber},
           ParseCase{"V1.2.3", "Invalid character(s) found in major number \"V1\"",
                     "Invalid character(s) found in major number \"0V1\""},
           ParseCase{"vv1.2.3", "Invalid character(s) found in major number \"vv1\"",
                     "Invalid character(s) found in major number \"0v1\""},
           ParseCase{"1.0x.3", "Invalid character(s) found in minor number \"0x\"",
                     "Invalid character(s) found in minor number \"0x\""},
           ParseCase{"1.2-rc", "No Major.Minor.Patch elements found",
                     "Short version cannot contain PreRelease/Build meta data"},
           ParseCase{"1.2-rc.1", "Invalid character(s) found in minor number \"2-rc\"",
                     "Invalid character(s) found in minor number \"2-rc\""},
           ParseCase{"1.2.3.4", "Invalid character(s) found in patch number \"3.4\"",
                     "Invalid character(s) found in patch number \"3.4\""},
           ParseCase{"1.2.3-", "Prerelease is empty", "Prerelease is empty"},
           ParseCase{"1.2.3-01",
                     "Numeric PreRelease version must not contain leading zeroes \"01\"",
                     "Numeric PreRelease version must not contain leading zeroes \"01\""},
           ParseCase{"1.2.3-a_b", "Invalid character(s) found in prerelease \"a_b\"",
                     "Invalid character(s) found in prerelease \"a_b\""},
           ParseCase{"1.2.3+", "Build meta data is empty", "Build meta data is empty"},
           ParseCase{"1.2.3+b+c", "Invalid character(s) found in build meta data \"b+c\"",
                     "Invalid character(s) found in build meta data \"b+c\""},
           ParseCase{"18446744073709551616.0.0",
                     R"(strconv.ParseUint: parsing "18446744073709551616": value out of range)",
                     R"(strconv.ParseUint: parsing "18446744073709551616": value out of range)"},
       }) {
    EXPECT_EQ(Outcome(ParseSemver(row.text)), row.strict) << row.text;
    EXPECT_EQ(Outcome(ParseSemverTolerant(row.text)), row.tolerant) << row.text;
  }
}

TEST(SemverTest, FollowsThePrecedenceOfTheSpecification) {
  constexpr std::string_view kAscending[] = {
      "1.0.0-0",    "1.0.0-9",      "1.0.0-10",      "1.0.0--",
      "1.0.0-A",    "1.0.0-alpha",  "1.0.0-alpha.1", "1.0.0-alpha.beta",
      "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1",
      "1.0.0",      "1.0.1-a",      "1.0.1",         "1.1.0",
      "2.0.0"};
  for (std::size_t i = 0; i < std::size(kAscending); ++i) {
    for (std::size_t j = 0; j < std::size(kAscending); ++j) {
      EXPECT_EQ(Compare(ParseSemver(kAscending[i]).value(), ParseSemver(kAscending[j]).value()),
                std::weak_ordering(i <=> j))
          << kAscending[i] << " and " << kAscending[j];
    }
  }
}

TEST(SemverTest, BuildMetadataHasNoPrecedence) {
  EXPECT_TRUE(Compare(ParseSemver("1.0.0+a").value(), ParseSemver("1.0.0").value()) == 0);
}

/// Uses small alphabets, so that equal and nearly equal versions are frequent.
rc::Gen<Semver> AnySemver() {
  const auto part = rc::gen::apply(
      [](bool is_number, std::uint64_t number, std::string text) {
        return is_number ? std::to_string(number) : "x" + std::move(text);
      },
      rc::gen::arbitrary<bool>(), rc::gen::inRange<std::uint64_t>(0, 12),
      rc::gen::container<std::string>(rc::gen::element('a', 'B', '-', '0')));
  const auto joined = [](const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& one : parts) text += (text.empty() ? "" : ".") + one;
    return text;
  };
  const auto number = rc::gen::inRange<std::uint64_t>(0, 3);
  return rc::gen::build<Semver>(
      rc::gen::set(&Semver::major, number), rc::gen::set(&Semver::minor, number),
      rc::gen::set(&Semver::patch, number),
      rc::gen::set(
          &Semver::prerelease,
          rc::gen::map(rc::gen::resize(4, rc::gen::container<std::vector<std::string>>(part)),
                       joined)));
}

int Order(const Semver& a, const Semver& b) {
  const std::weak_ordering order = Compare(a, b);
  return order < 0 ? -1 : order > 0 ? 1 : 0;
}

RC_GTEST_PROP(SemverTest, CompareIsAWeakOrder, ()) {
  std::array<Semver, 3> sorted = {*AnySemver(), *AnySemver(), *AnySemver()};
  std::ranges::sort(sorted, [](const Semver& a, const Semver& b) { return Order(a, b) < 0; });
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    for (std::size_t j = i; j < sorted.size(); ++j) {
      RC_ASSERT(Order(sorted[i], sorted[j]) <= 0);
      RC_ASSERT(Order(sorted[i], sorted[j]) == -Order(sorted[j], sorted[i]));
    }
  }
  const bool is_first_least = Order(sorted[0], sorted[1]) < 0 || Order(sorted[1], sorted[2]) < 0;
  RC_ASSERT(is_first_least == (Order(sorted[0], sorted[2]) < 0));
}

TEST(SemverTest, TheFirstPartThatDiffersDecides) {
  std::string same;
  for (int i = 0; i < 1000; ++i) same += "a.";
  const std::pair<std::string_view, std::string_view> kCases[] = {
      {"1", "2"}, {"9", "10"}, {"2", "a"}, {"a", "a.1"}, {"1", "1.0"}, {"a1", "a2"}, {"a", "aa"}};
  for (const std::string& before : {std::string(), std::string("x."), same}) {
    for (const auto& [less, more] : kCases) {
      const std::string a = "1.2.3-" + before + std::string(less);
      const std::string b = "1.2.3-" + before + std::string(more);
      EXPECT_TRUE(Compare(*ReadSemver(a), *ReadSemver(b)) < 0) << less << ' ' << more;
      EXPECT_TRUE(Compare(*ReadSemver(b), *ReadSemver(a)) > 0) << less << ' ' << more;
      EXPECT_TRUE(Compare(*ReadSemver(a), *ReadSemver(a)) == 0) << less;
    }
  }
}

RC_GTEST_PROP(SemverTest, APrintedVersionReadsBack, ()) {
  const Semver version = *AnySemver();
  const std::string text = version.Text();
  for (const Result<Semver>& read : {ParseSemver(text), ParseSemverTolerant("v" + text)}) {
    RC_ASSERT(read.has_value());
    RC_ASSERT(read->Text() == text);
    RC_ASSERT(Order(*read, version) == 0);
  }
}

}  // namespace
}  // namespace plimsoll
