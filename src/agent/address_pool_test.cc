#include "agent/address_pool.h"

#include <gtest/gtest.h>

namespace plimsoll::agent {
namespace {

TEST(AddressPoolTest, GivesEachAddressOnce) {
  AddressPool pool = *AddressPool::Parse("10.0.0.5/29");  // six host addresses
  for (int last = 1; last <= 6; ++last) {
    EXPECT_EQ(AddressText(*pool.Allocate()), "10.0.0." + std::to_string(last));
  }
  EXPECT_FALSE(pool.Allocate());
  pool.Release(*ParseAddress("10.0.0.3"));
  EXPECT_EQ(AddressText(*pool.Allocate()), "10.0.0.3");
}

TEST(AddressPoolTest, GivesWhatWasGivenBackAsLateAsPossible) {
  AddressPool pool = *AddressPool::Parse("10.0.0.0/29");
  pool.Release(*pool.Allocate());
  EXPECT_EQ(AddressText(*pool.Allocate()), "10.0.0.2");
}

TEST(AddressPoolTest, LeavesOutWhatIsReserved) {
  AddressPool pool = *AddressPool::Parse("10.0.0.0/30");
  EXPECT_TRUE(pool.Reserve(*ParseAddress("10.0.0.1")));
  EXPECT_FALSE(pool.Reserve(*ParseAddress("10.0.0.1")));
  EXPECT_TRUE(pool.Reserve(*ParseAddress("192.168.0.1")));
  EXPECT_EQ(AddressText(*pool.Allocate()), "10.0.0.2");
}

TEST(AddressPoolTest, RefusesWhatIsNoNetwork) {
  for (const char* text : {"", "10.0.0.0", "10.0.0.0/", "10.0.0/8", "10.0.0.0/7", "10.0.0.0/31",
                           "10.0.0.256/8", "::/64", "10.0.0.0/24x"}) {
    EXPECT_FALSE(AddressPool::Parse(text)) << text;
  }
}

TEST(AddressPoolTest, ReadsAddresses) {
  EXPECT_EQ(ParseAddress("255.255.255.255"), 0xffff'ffffu);
  EXPECT_EQ(ParseAddress("10.0.0.1"), 0x0a00'0001u);
  for (const char* text : {"", "1.2.3", "1.2.3.4.5", "1..2.3", "a.b.c.d"}) {
    EXPECT_FALSE(ParseAddress(text)) << text;
  }
}

}  // namespace
}  // namespace plimsoll::agent
