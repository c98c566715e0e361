#pragma once

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace plimsoll::codec {

/// Returns the first quote, backslash, control character or byte beyond ASCII. A JSON string cannot
/// hold it unescaped, or it needs a check. Returns `end` if there is none.
inline const char* FindSpecialByte(const char* at, const char* end) {
#if defined(__SSE2__)
  while (end - at >= 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    // Signed comparison: bytes beyond ASCII are negative and thus also less than a blank.
    const __m128i low = _mm_cmplt_epi8(bytes, _mm_set1_epi8(' '));
    const __m128i quote = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
    const __m128i backslash = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
    const int mask = _mm_movemask_epi8(_mm_or_si128(low, _mm_or_si128(quote, backslash)));
    if (mask != 0) return at + __builtin_ctz(static_cast<unsigned>(mask));
    at += 16;
  }
#endif
  while (at != end) {
    const auto byte = static_cast<signed char>(*at);
    if (byte < ' ' || byte == '"' || byte == '\\') break;
    ++at;
  }
  return at;
}

}  // namespace plimsoll::codec
