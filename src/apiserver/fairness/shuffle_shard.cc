#include "apiserver/fairness/shuffle_shard.h"

#include <algorithm>

#include "base/assert.h"

namespace plimsoll::apiserver {

void DealHand(std::uint64_t hash, std::uint32_t deck_size, std::uint32_t hand_size,
              std::vector<std::uint32_t>& hand) {
  PL_ASSERT(hand_size <= deck_size);
  hand.clear();
  std::vector<std::uint32_t> dealt;  // sorted
  dealt.reserve(hand_size);
  for (std::uint32_t i = 0; i < hand_size; ++i) {
    const std::uint32_t left = deck_size - i;
    auto card = static_cast<std::uint32_t>(hash % left);
    hash /= left;
    // The card is the n-th of those left in the deck.
    auto at = dealt.begin();
    while (at != dealt.end() && *at <= card) {
      ++card;
      ++at;
    }
    dealt.insert(at, card);
    hand.push_back(card);
  }
}

}  // namespace plimsoll::apiserver
