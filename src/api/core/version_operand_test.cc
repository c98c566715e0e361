#include "api/core/version_operand.h"

#include <string_view>

#include "api/core/node_selector.h"
#include "gtest/gtest.h"

namespace plimsoll::api {
namespace {

TEST(VersionOperandTest, MustBeAVersionAndALabelValue) {
  for (const std::string_view text : {"1.31.99", "v1.31", "2", "1.0.0-rc.1"}) {
    EXPECT_TRUE(ParseVersionOperand(text).is_usable()) << text;
  }
  for (const std::string_view text : {"1.0.0+build.1", " v1.31.99 ", "1.2.x", ""}) {
    EXPECT_FALSE(ParseVersionOperand(text).is_usable()) << text;
  }
  // Both of these are versions; a label cannot hold them.
  EXPECT_TRUE(ParseVersionOperand("1.0.0+build.1").version.has_value());
  EXPECT_TRUE(ParseVersionOperand(" v1.31.99 ").version.has_value());
}

TEST(VersionOperandTest, KnowsItsOperators) {
  EXPECT_TRUE(ComparesVersions({.key = "k", .op = "SemverGt", .values = {}}));
  EXPECT_TRUE(ComparesVersions({.key = "k", .op = "SemverLt", .values = {}}));
  EXPECT_TRUE(ComparesVersions({.key = "k", .op = "SemverEq", .values = {}}));
  EXPECT_FALSE(ComparesVersions({.key = "k", .op = "Gt", .values = {}}));
  EXPECT_FALSE(ComparesVersions({.key = "k", .op = "Semver", .values = {}}));
}

}  // namespace
}  // namespace plimsoll::api
