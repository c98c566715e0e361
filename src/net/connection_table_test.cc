#include "net/connection_table.h"

#include <gtest/gtest.h>

#include <vector>

namespace plimsoll::net {
namespace {

using Room = ConnectionTable::Room;
using PlacePtr = std::unique_ptr<ConnectionTable::Entry>;

struct FitCase {
  std::uint64_t file_max;
  int wanted;
  int total;
  int per_address;
  int anonymous;
};

TEST(FitConnectionLimitsTest, LeavesFilesForTheStore) {
  for (const FitCase& test : {FitCase{1u << 20, 20'000, 20'000, 15'000, 1024},
                              {65'536, 100'000, 49'152, 36'864, 1024},
                              {4096, 20'000, 3072, 2304, 1024},
                              {1024, 20'000, 512, 384, 512},
                              {256, 20'000, 128, 96, 128},
                              {1024, 8, 8, 6, 8},
                              {0, 20'000, 1, 1, 1}}) {
    const ConnectionLimits limits = FitConnectionLimits({.total_max = test.wanted}, test.file_max);
    EXPECT_EQ(limits.total_max, test.total) << test.file_max;
    EXPECT_EQ(limits.per_address_max, test.per_address) << test.file_max;
    EXPECT_EQ(limits.anonymous_max, test.anonymous) << test.file_max;
  }
}

constexpr Ticks kGrace = 10;

class ConnectionTableTest : public testing::Test {
 protected:
  PlacePtr Add(Ticks now, std::string address = "a") {
    PlacePtr entry = table_.Add(std::move(address), now, now + kGrace);
    if (entry != nullptr) {
      entry->OnEvict([this, now] { evicted_.push_back(now); });
    }
    return entry;
  }

  std::vector<Ticks> evicted_;  // by arrival time
  int rooms_ = 0;
  ConnectionTable table_{
      {.total_max = 4, .per_address_max = 4, .anonymous_max = 3, .anonymous_per_address_max = 2},
      [this] { ++rooms_; }};
};

TEST_F(ConnectionTableTest, TheOldestAnonymousConnectionMakesRoom) {
  PlacePtr first = Add(1, "a");
  const PlacePtr second = Add(2, "b");
  EXPECT_EQ(table_.MakeRoom(3, false), Room::Some);
  const PlacePtr third = Add(3, "c");
  EXPECT_EQ(table_.MakeRoom(4, false), Room::Soon) << "three are anonymous";
  EXPECT_TRUE(evicted_.empty()) << "each has some time to log in";
  EXPECT_EQ(table_.MakeRoom(1 + kGrace, false), Room::Soon);
  EXPECT_EQ(evicted_, (std::vector<Ticks>{1}));
  EXPECT_EQ(table_.MakeRoom(3 + kGrace, false), Room::Soon) << "one is about to leave";
  EXPECT_EQ(evicted_.size(), 1u);
  EXPECT_EQ(rooms_, 0);
  first = nullptr;
  EXPECT_EQ(rooms_, 1) << "whoever waits is told once";
  EXPECT_EQ(table_.MakeRoom(3 + kGrace, false), Room::Some);
}

TEST_F(ConnectionTableTest, AConnectionThatLogsInMakesRoom) {
  const PlacePtr first = Add(1, "a");
  const PlacePtr second = Add(1, "b");
  const PlacePtr third = Add(1, "c");
  EXPECT_EQ(table_.MakeRoom(2, false), Room::Soon);
  first->MarkAuthenticated();
  EXPECT_EQ(rooms_, 1);
  EXPECT_EQ(table_.MakeRoom(2, false), Room::Some);
}

TEST_F(ConnectionTableTest, AuthenticatedConnectionsStay) {
  std::vector<PlacePtr> places;
  for (Ticks now = 1; now <= 4; ++now) {
    ASSERT_EQ(table_.MakeRoom(now, false), Room::Some);
    places.push_back(Add(now));
    places.back()->MarkAuthenticated();
  }
  EXPECT_EQ(table_.MakeRoom(100, false), Room::None);
  EXPECT_TRUE(evicted_.empty());
  places.pop_back();
  EXPECT_EQ(table_.MakeRoom(100, false), Room::Some);
}

TEST_F(ConnectionTableTest, AnAddressHasALimitOfItsOwn) {
  const PlacePtr first = Add(1);
  const PlacePtr second = Add(2);
  EXPECT_EQ(Add(3), nullptr) << "two of this address are anonymous";
  EXPECT_NE(Add(3, "b"), nullptr);
  const PlacePtr third = Add(1 + kGrace);
  EXPECT_NE(third, nullptr);
  EXPECT_EQ(evicted_, (std::vector<Ticks>{1})) << "its own oldest one makes room";
}

TEST_F(ConnectionTableTest, WithoutFilesAnonymousConnectionsMakeRoom) {
  const PlacePtr first = Add(1);
  EXPECT_EQ(table_.MakeRoom(2, true), Room::Soon);
  EXPECT_TRUE(evicted_.empty());
  EXPECT_EQ(table_.MakeRoom(1 + kGrace, true), Room::Soon);
  EXPECT_EQ(evicted_, (std::vector<Ticks>{1}));
}

}  // namespace
}  // namespace plimsoll::net
