#include "apiserver/write/identity.h"

#include <gtest/gtest.h>

#include <regex>
#include <set>

namespace plimsoll::apiserver {
namespace {

TEST(IdentityTest, UidsAreVersionFourAndDiffer) {
  Identity identity(1);
  const std::regex form("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) {
    const std::string uid = identity.NewUid();
    EXPECT_TRUE(std::regex_match(uid, form)) << uid;
    EXPECT_TRUE(seen.insert(uid).second);
  }
}

TEST(IdentityTest, NamesEndInFiveLettersAndFitALabel) {
  Identity identity(1);
  EXPECT_TRUE(std::regex_match(identity.NewName("web-"),
                               std::regex("web-[bcdfghjklmnpqrstvwxz2456789]{5}")));
  const std::string base(58, 'a');
  EXPECT_EQ(identity.NewName(base).substr(0, 58), base);
  EXPECT_EQ(identity.NewName(base + "b").size(), 63u);
  EXPECT_EQ(identity.NewName(base + "b").substr(0, 58), base);
}

}  // namespace
}  // namespace plimsoll::apiserver
