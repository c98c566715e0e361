#include "cli/flags/cli11_arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plimsoll::cli {
namespace {

using testing::ElementsAre;

TEST(ParserWordsTest, FlagsHaveTheirValuesAsEverywhere) {
  EXPECT_THAT(ToCli11Arguments({"a", "--b=c", "-d"}), ElementsAre("-d", "--b=c", "a"));
  EXPECT_THAT(ToCli11Arguments({"--b=", "c"}), ElementsAre("c", "", "--b"));
  EXPECT_THAT(ToCli11Arguments({"-v=4", "c"}), ElementsAre("c", "4", "-v"));
  EXPECT_THAT(ToCli11Arguments({"-l=app=web"}), ElementsAre("app=web", "-l"));
  EXPECT_THAT(ToCli11Arguments({"-v="}), ElementsAre("", "-v"));
  EXPECT_THAT(ToCli11Arguments({"--", "-v=4", "--b="}), ElementsAre("--b=", "-v=4", "--"));
}

}  // namespace
}  // namespace plimsoll::cli
