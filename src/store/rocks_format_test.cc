#include "store/rocks_format.h"

#include <gtest/gtest.h>

#include <limits>

namespace plimsoll::store {
namespace {

TEST(RocksFormatTest, RevisionKeysSortAsTheNumbersDo) {
  std::string last;
  for (const std::int64_t number :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{255}, std::int64_t{256},
        std::int64_t{65'536}, std::numeric_limits<std::int64_t>::max()}) {
    const RevisionKey key(Revision{number});
    EXPECT_EQ(key.text().size(), 8U);
    EXPECT_LT(last, key.text());
    EXPECT_EQ(ParseRevisionKey(key.text()), Revision{number});
    last = key.text();
  }
  EXPECT_EQ(ParseRevisionKey("1234567"), std::nullopt);
  EXPECT_EQ(ParseRevisionKey("123456789"), std::nullopt);
  EXPECT_EQ(ParseRevisionKey("\xff\0\0\0\0\0\0\0"), std::nullopt);
}

TEST(RocksFormatTest, LogRecordsComeBack) {
  std::string text = "left from before";
  EncodeLogged({"/a", false}, text);
  EXPECT_EQ(text, "p/a");
  EXPECT_EQ(ParseLogged(text)->key, "/a");
  EXPECT_FALSE(ParseLogged(text)->is_deletion);
  EncodeLogged({"/b", true}, text);
  EXPECT_EQ(text, "d/b");
  EXPECT_TRUE(ParseLogged(text)->is_deletion);
  for (const char* bad : {"", "p", "x/a"}) EXPECT_EQ(ParseLogged(bad), std::nullopt) << bad;
}

TEST(RocksFormatTest, MetaNumbersAreDecimal) {
  EXPECT_EQ(ParseMetaNumber("0"), 0);
  EXPECT_EQ(ParseMetaNumber("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  for (const char* bad : {"", "-1", "1x", " 1", "9223372036854775808"}) {
    EXPECT_EQ(ParseMetaNumber(bad), std::nullopt) << bad;
  }
}

}  // namespace
}  // namespace plimsoll::store
