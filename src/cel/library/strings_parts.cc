#include "cel/library/strings_parts.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "base/text/utf8.h"
#include "cel/library/find_text.h"
#include "cel/library/make_value.h"

namespace plimsoll::cel {
namespace {

/// Returns the length of the code point at an offset. For long texts that are split completely,
/// known-valid UTF-8 is not validated again.
std::size_t BytesAt(std::string_view text, std::size_t at, bool is_utf8) {
  const auto lead = static_cast<unsigned char>(text[at]);
  if (lead < 0x80) return 1;
  if (!is_utf8) return DecodeRune(text.substr(at)).bytes;
  return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

/// Calls `visit` with the offset of each `old`, at most `limit` of them unless that is negative. An
/// empty `old` matches before every code point and at the end.
template <class Visit>
void ForEachPart(std::string_view text, std::string_view old, std::int64_t limit, Visit visit) {
  const bool is_utf8 = old.empty() && IsUtf8(text);
  std::size_t at = 0;
  for (std::int64_t done = 0; limit < 0 || done < limit; ++done) {
    std::size_t found = at;
    if (!old.empty()) {
      // Avoids the call for texts that consist only of matches.
      const bool is_here = at < text.size() && text[at] == old[0] &&
                           (old.size() == 1 || text.substr(at).starts_with(old));
      if (!is_here) found = FindText(text, old, at);
    } else if (done > 0) {
      found = at < text.size() ? at + BytesAt(text, at, is_utf8) : std::string_view::npos;
    }
    if (found == std::string_view::npos) return;
    visit(found);
    at = found + old.size();
  }
}

/// Searches twice, so that the result, which may be huge, is allocated once.
Value ReplaceSome(Evaluation& evaluation, const Value* arguments, std::int64_t limit) {
  const std::string_view text = arguments[0].text();
  const std::string_view old = arguments[1].text();
  const std::string_view with = arguments[2].text();
  std::size_t count = 0;
  ForEachPart(text, old, limit, [&](std::size_t) { ++count; });
  if (count == 0 || old == with) return arguments[0];
  const std::size_t kept = text.size() - count * old.size();
  if (!with.empty() && count > (kTextBytesMax - std::min(kept, kTextBytesMax)) / with.size()) {
    return TextTooLarge(evaluation);
  }
  const std::size_t size = kept + count * with.size();
  if (size == 0) return Value::String({});
  char* const out = evaluation.arena().Allocate<char>(size);
  char* end = out;
  std::size_t at = 0;
  ForEachPart(text, old, limit, [&](std::size_t found) {
    end = CopyText(text.substr(at, found - at), end);
    end = CopyText(with, end);
    at = found + old.size();
  });
  std::copy_n(text.data() + at, text.size() - at, end);
  return Value::String({out, size});
}

/// REQUIRES: the text is valid UTF-8.
Value SplitRunes(Evaluation& evaluation, std::string_view text) {
  const std::size_t count = CountRunes(text);
  if (count > kElementsMax) return ListTooLarge(evaluation);
  Value* const parts = evaluation.arena().Allocate<Value>(count);
  std::size_t at = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t bytes = BytesAt(text, at, true);
    new (parts + i) Value(Value::String(text.substr(at, bytes)));
    at += bytes;
  }
  return Value::List({parts, count});
}

/// Returns at most `limit` parts, the last of which is the rest; any number if it is negative. An
/// empty separator splits into code points. Searches twice, so that the list is allocated once.
Value SplitSome(Evaluation& evaluation, const Value* arguments, std::int64_t limit) {
  const std::string_view text = arguments[0].text();
  const std::string_view separator = arguments[1].text();
  if (limit == 0 || (text.empty() && separator.empty())) return Value::List({});
  if (limit < 0 && separator.empty() && IsUtf8(text)) return SplitRunes(evaluation, text);
  // An empty separator also matches before the first code point and at the
  // end, where it splits nothing.
  const bool by_runes = separator.empty();
  const std::int64_t cuts = limit < 0 ? -1 : by_runes ? limit : limit - 1;
  const auto for_each_cut = [&](auto visit) {
    ForEachPart(text, separator, cuts, [&](std::size_t found) {
      if (!by_runes || (found != 0 && found != text.size())) visit(found);
    });
  };
  std::size_t count = 1;
  for_each_cut([&](std::size_t) { ++count; });
  if (count > kElementsMax) return ListTooLarge(evaluation);
  Value* const parts = evaluation.arena().Allocate<Value>(count);
  Value* end = parts;
  std::size_t at = 0;
  for_each_cut([&](std::size_t found) {
    new (end++) Value(Value::String(text.substr(at, found - at)));
    at = found + separator.size();
  });
  new (end) Value(Value::String(text.substr(at)));
  return Value::List({parts, count});
}

}  // namespace

Value Replace(Evaluation& evaluation, const Value* arguments) {
  return ReplaceSome(evaluation, arguments, -1);
}
Value ReplaceTimes(Evaluation& evaluation, const Value* arguments) {
  return ReplaceSome(evaluation, arguments, arguments[3].as_int());
}

Value Split(Evaluation& evaluation, const Value* arguments) {
  return SplitSome(evaluation, arguments, -1);
}
Value SplitTimes(Evaluation& evaluation, const Value* arguments) {
  return SplitSome(evaluation, arguments, arguments[2].as_int());
}

}  // namespace plimsoll::cel
