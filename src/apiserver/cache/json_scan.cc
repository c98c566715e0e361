#include "apiserver/cache/json_scan.h"

#include <cstring>

namespace plimsoll::apiserver {
namespace {

bool IsBlank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

}  // namespace

void JsonScan::SkipBlanks() {
  while (at_ != end_ && IsBlank(*at_)) ++at_;
}

bool JsonScan::Enter() {
  SkipBlanks();
  if (at_ == end_ || *at_ != '{') return false;
  ++at_;
  return true;
}

bool JsonScan::NextKey(RawText& key) {
  SkipBlanks();
  if (at_ != end_ && *at_ == ',') {
    ++at_;
    SkipBlanks();
  }
  if (at_ == end_) return Break();
  if (*at_ == '}') {
    ++at_;
    return false;
  }
  if (!ReadText(key)) return Break();
  SkipBlanks();
  if (at_ == end_ || *at_ != ':') return Break();
  ++at_;
  return true;
}

bool JsonScan::ReadText(RawText& text) {
  SkipBlanks();
  if (at_ == end_ || *at_ != '"') return false;
  const char* const first = at_ + 1;
  const char* from = first;
  text.has_escapes = false;
  for (;;) {
    // Finds the quote first and then looks for escapes before it: most strings have none, and
    // memchr reads many bytes at a time.
    const auto left = static_cast<std::size_t>(end_ - from);
    const auto* quote = static_cast<const char*>(std::memchr(from, '"', left));
    if (quote == nullptr) return Break();
    const auto* slash =
        static_cast<const char*>(std::memchr(from, '\\', static_cast<std::size_t>(quote - from)));
    if (slash == nullptr) {
      text.raw = {first, static_cast<std::size_t>(quote - first)};
      at_ = quote + 1;
      return true;
    }
    text.has_escapes = true;
    if (end_ - slash < 2) return Break();
    from = slash + 2;
  }
}

void JsonScan::Skip() {
  std::size_t depth = 0;
  do {
    SkipBlanks();
    if (at_ == end_) {
      Break();
      return;
    }
    switch (*at_) {
      case '"': {
        RawText text;
        if (!ReadText(text)) return;
        break;
      }
      case '{':
      case '[':
        ++depth;
        ++at_;
        break;
      case '}':
      case ']':
        if (depth == 0) {
          Break();
          return;
        }
        --depth;
        ++at_;
        break;
      case ',':
      case ':':
        ++at_;
        if (depth == 0) Break();
        break;
      default:
        while (at_ != end_ && *at_ != ',' && *at_ != '}' && *at_ != ']' && !IsBlank(*at_)) ++at_;
    }
  } while (depth != 0);
}

std::string_view JsonScan::SkipRaw() {
  SkipBlanks();
  const char* const first = at_;
  Skip();
  return {first, static_cast<std::size_t>(at_ - first)};
}

}  // namespace plimsoll::apiserver
