#pragma once

#include <cstdint>
#include <vector>

namespace plimsoll::apiserver {

/// Deals `hand_size` different numbers below `deck_size`, chosen by the hash. Flows with different
/// hashes rarely share all of their queues. So a flow that fills its queues leaves others some of
/// theirs. REQUIRES: hand_size <= deck_size.
void DealHand(std::uint64_t hash, std::uint32_t deck_size, std::uint32_t hand_size,
              std::vector<std::uint32_t>& hand);

}  // namespace plimsoll::apiserver
