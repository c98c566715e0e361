#include "apiserver/write/identity.h"

#include <array>
#include <cstdint>

namespace plimsoll::apiserver {
namespace {

// No vowels and no similar characters, so that generated names contain no words.
constexpr std::string_view kLetters = "bcdfghjklmnpqrstvwxz2456789";
constexpr std::size_t kSuffixBytes = 5;
constexpr std::size_t kNameBytesMax = 63;

void AppendHex(std::uint64_t bits, int digits, std::string& out) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4) out += kDigits[(bits >> shift) & 15];
}

}  // namespace

std::string Identity::NewUid() {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  {
    const std::lock_guard lock(mutex_);
    high = random_.Next();
    low = random_.Next();
  }
  high = (high & ~std::uint64_t{0xf000}) | 0x4000;                     // version 4
  low = (low & ~(std::uint64_t{3} << 62)) | (std::uint64_t{2} << 62);  // RFC 4122
  std::string out;
  out.reserve(36);
  AppendHex(high >> 32, 8, out);
  out += '-';
  AppendHex(high >> 16, 4, out);
  out += '-';
  AppendHex(high, 4, out);
  out += '-';
  AppendHex(low >> 48, 4, out);
  out += '-';
  AppendHex(low, 12, out);
  return out;
}

std::string Identity::NewName(std::string_view base) {
  std::string out(base.substr(0, kNameBytesMax - kSuffixBytes));
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < kSuffixBytes; ++i) out += kLetters[random_.Below(kLetters.size())];
  return out;
}

}  // namespace plimsoll::apiserver
