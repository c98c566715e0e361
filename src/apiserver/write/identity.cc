#include "apiserver/write/identity.h"

#include <array>
#include <cstdint>

#include "base/text/uuid.h"

namespace plimsoll::apiserver {
namespace {

// No vowels and no similar characters, so that generated names contain no words.
constexpr std::string_view kLetters = "bcdfghjklmnpqrstvwxz2456789";
constexpr std::size_t kSuffixBytes = 5;
constexpr std::size_t kNameBytesMax = 63;

}  // namespace

std::string Identity::NewUid() {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  {
    const std::lock_guard lock(mutex_);
    high = random_.Next();
    low = random_.Next();
  }
  return RandomUuid(high, low);
}

std::string Identity::NewName(std::string_view base) {
  std::string out(base.substr(0, kNameBytesMax - kSuffixBytes));
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < kSuffixBytes; ++i) out += kLetters[random_.Below(kLetters.size())];
  return out;
}

}  // namespace plimsoll::apiserver
