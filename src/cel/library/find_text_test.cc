#include "cel/library/find_text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace plimsoll::cel {
namespace {

TEST(FindTextTest, LongTextsOfOneLetterTakeLinearTime) {
  const std::string text(4'000'000, 'a');
  const std::string part = std::string(2'000'000, 'a') + 'b';
  EXPECT_EQ(FindText(text, part), std::string_view::npos);
  EXPECT_EQ(FindLastText(text, 'b' + std::string(2'000'000, 'a'), text.size()),
            std::string_view::npos);
}

RC_GTEST_PROP(FindTextTest, AgreesWithTheStandardLibrary, ()) {
  // Few letters and much repetition, so that parts occur; long enough for both searches.
  const auto letters = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab")));
  std::string text;
  while (text.size() < 3000) text += letters + "ab";
  const auto start = *rc::gen::inRange<std::size_t>(0, 1000);
  const auto size = *rc::gen::elementOf(std::vector<std::size_t>{1, 2, 3, 17, 63, 64, 65, 1000});
  std::string part = text.substr(start, size);
  if (*rc::gen::arbitrary<bool>()) part[*rc::gen::inRange<std::size_t>(0, size)] ^= 3;
  const auto from = *rc::gen::inRange<std::size_t>(0, 4000);
  RC_ASSERT(FindText(text, part, from) == text.find(part, from));
  RC_ASSERT(FindLastText(text, part, from) == text.rfind(part, from));
}

}  // namespace
}  // namespace plimsoll::cel
