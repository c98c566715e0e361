#include "apiserver/fairness/shuffle_shard.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

namespace plimsoll::apiserver {
namespace {

RC_GTEST_PROP(ShuffleShardTest, AHandHasDifferentCardsOfTheDeck, (std::uint64_t hash)) {
  const auto deck = *rc::gen::inRange<std::uint32_t>(1, 200);
  const auto size = *rc::gen::inRange<std::uint32_t>(1, std::min(deck, 10U) + 1);
  std::vector<std::uint32_t> hand;
  DealHand(hash, deck, size, hand);
  const std::set<std::uint32_t> cards(hand.begin(), hand.end());
  RC_ASSERT(hand.size() == size);
  RC_ASSERT(cards.size() == size);
  RC_ASSERT(*cards.rbegin() < deck);
}

TEST(ShuffleShardTest, EveryCardIsDealtEquallyOften) {
  std::vector<int> dealt(10);
  std::vector<std::uint32_t> hand;
  for (std::uint64_t hash = 0; hash < 10 * 9 * 8; ++hash) {
    DealHand(hash, 10, 3, hand);
    for (const std::uint32_t card : hand) ++dealt[card];
  }
  for (const int count : dealt) EXPECT_EQ(count, 10 * 9 * 8 * 3 / 10);
}

TEST(ShuffleShardTest, AWholeDeckCanBeDealt) {
  std::vector<std::uint32_t> hand;
  DealHand(12345, 4, 4, hand);
  EXPECT_EQ(std::set<std::uint32_t>(hand.begin(), hand.end()).size(), 4U);
}

}  // namespace
}  // namespace plimsoll::apiserver
