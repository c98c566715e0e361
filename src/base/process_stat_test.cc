#include "base/process_stat.h"

#include <string>

#include "gtest/gtest.h"

namespace plimsoll {
namespace {

TEST(ProcessStatTest, ReadsTheFieldsAfterTheName) {
  const auto stat = ParseProcessStat(
      "4711 (a) (b c) S 1 4711 4711 0 -1 4194560 1 2 3 4 100 200 5 6 20 0 8 0 12345 1048576 256 "
      "18446744073709551615 0\n");
  ASSERT_TRUE(stat.has_value());
  EXPECT_EQ(stat->start_ticks, 12345);
  EXPECT_EQ(stat->virtual_bytes, 1048576);
  EXPECT_EQ(stat->resident_pages, 256);
}

TEST(ProcessStatTest, RejectsOtherTexts) {
  for (const char* text : {"", "4711", "4711 (a) S 1 2 3",
                           "1 (a) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 x 1 2",
                           "1 (a) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 1 -1 2"}) {
    EXPECT_FALSE(ParseProcessStat(text).has_value()) << text;
  }
}

TEST(NetworkOctetsTest, FindsTheCountersByName) {
  const auto octets = ParseNetworkOctets(
      "TcpExt: SyncookiesSent InOctets\nTcpExt: 1 2\n"
      "IpExt: InNoRoutes InOctets OutOctets InMcastOctets\nIpExt: 0 76961 5000000000 3\n");
  ASSERT_TRUE(octets.has_value());
  EXPECT_EQ(octets->in, 76961);
  EXPECT_EQ(octets->out, 5'000'000'000);
}

TEST(NetworkOctetsTest, RejectsTextsWithoutTheCounters) {
  for (const char* text :
       {"", "IpExt: InOctets OutOctets\n", "IpExt: InOctets\nIpExt: 1\n",
        "IpExt: InOctets OutOctets\nIpExt: 1\n", "IpExt: InOctets OutOctets\nIpExt: 1 x\n"}) {
    EXPECT_FALSE(ParseNetworkOctets(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace plimsoll
