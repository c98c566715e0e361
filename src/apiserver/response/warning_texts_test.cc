#include "apiserver/response/warning_texts.h"

#include <gtest/gtest.h>

namespace plimsoll::apiserver {
namespace {

using Texts = std::vector<std::string>;

TEST(BoundedWarningsTest, EachIsToldOnce) {
  EXPECT_EQ(BoundedWarnings({"a", "b", "", "a"}), (Texts{"a", "b"}));
  EXPECT_EQ(BoundedWarnings({}), Texts());
}

TEST(BoundedWarningsTest, UpTo4096CharactersAreSentWhole) {
  const std::string long_one(4096, 'x');
  EXPECT_EQ(BoundedWarnings({long_one}), Texts{long_one});
  EXPECT_EQ(BoundedWarnings({long_one, "y"}), (Texts{std::string(256, 'x'), "y"}));
}

TEST(BoundedWarningsTest, ManyAreCutOff) {
  Texts many;
  for (int i = 0; i < 1000; ++i) many.push_back(std::to_string(i) + std::string(300, 'x'));
  const Texts sent = BoundedWarnings(many);
  EXPECT_EQ(sent.size(), 16u);
  EXPECT_EQ(sent.front().size(), 256u);
}

TEST(BoundedWarningsTest, NoCharacterIsCutInTwo) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "é";
  const Texts sent = BoundedWarnings({text});
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_EQ(sent.front().size(), 512u);
}

}  // namespace
}  // namespace plimsoll::apiserver
