#include "base/random.h"

#include <bit>
#include <random>

#include "base/assert.h"

namespace plimsoll {
namespace {

__extension__ using Wide = unsigned __int128;

}  // namespace

Random::Random(std::uint64_t seed) {
  // Fill the state with splitmix64: seeds that differ in one bit must not give similar streams, and
  // the state must not be all zero.
  for (std::uint64_t& word : state_) {
    seed += 0x9e3779b97f4a7c15;
    std::uint64_t mixed = seed;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    word = mixed ^ (mixed >> 31);
  }
}

std::uint64_t Random::Next() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

std::uint64_t Random::Below(std::uint64_t bound) {
  PL_ASSERT(bound > 0);
  // The high half of the product maps 2^64 numbers to the bound without a division. Low halves that
  // would make some results more likely are drawn again.
  const std::uint64_t unfair = (0 - bound) % bound;
  while (true) {
    const Wide product = static_cast<Wide>(Next()) * bound;
    if (static_cast<std::uint64_t>(product) >= unfair) {
      return static_cast<std::uint64_t>(product >> 64);
    }
  }
}

std::int64_t Random::Between(std::int64_t low, std::int64_t high) {
  PL_ASSERT(low <= high);
  const std::uint64_t width = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  const std::uint64_t step = width == max() ? Next() : Below(width + 1);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + step);
}

double Random::Unit() { return static_cast<double>(Next() >> 11) * 0x1p-53; }

std::uint64_t UnpredictableSeed() {
  std::random_device device;
  return (static_cast<std::uint64_t>(device()) << 32) | device();
}

}  // namespace plimsoll
