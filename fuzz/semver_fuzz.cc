// Parses semantic versions. A version must be the same after it was printed and parsed again, and
// comparison must be antisymmetric.
//
// Input: two texts with a line end between them.

#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "base/semver.h"
#include "cost_bound.h"

namespace {

using plimsoll::Compare;
using plimsoll::ParseSemver;
using plimsoll::ParseSemverTolerant;

void CheckOne(std::string_view text) {
  const auto strict = ParseSemver(text);
  const auto tolerant = ParseSemverTolerant(text);
  if (strict) {
    PL_ASSERT(strict->Text() == text);
    PL_ASSERT(tolerant.has_value());
    PL_ASSERT(tolerant->Text() == text);
  } else {
    PL_ASSERT(!strict.error().message.empty());
  }
  if (!tolerant) return;
  const auto again = ParseSemver(tolerant->Text());
  PL_ASSERT(again.has_value());
  PL_ASSERT(Compare(*again, *tolerant) == 0);
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const plimsoll::fuzz::CostBound bound(size);
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const std::size_t end = text.find('\n');
  CheckOne(text.substr(0, end));
  if (end == std::string_view::npos) return 0;
  const auto a = ParseSemverTolerant(text.substr(0, end));
  const auto b = ParseSemverTolerant(text.substr(end + 1));
  if (a && b) PL_ASSERT((Compare(*a, *b) <=> 0) == (0 <=> Compare(*b, *a)));
  return 0;
}
