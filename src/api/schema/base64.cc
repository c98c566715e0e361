#include "api/schema/base64.h"

namespace plimsoll::api {

std::optional<std::string> CheckBase64(std::string_view text) {
  const auto is_code = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' ||
           c == '/';
  };
  const auto illegal_at = [](std::size_t at) {
    return "illegal base64 data at input byte " + std::to_string(at);
  };
  std::size_t codes = 0;
  std::size_t padding = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\n' || c == '\r') continue;
    if (c == '=' && (codes + padding) % 4 >= 2) {
      ++padding;
    } else if (!is_code(c) || padding > 0) {
      return illegal_at(at);
    } else {
      ++codes;
    }
  }
  if ((codes + padding) % 4 != 0) return illegal_at(text.size() - (codes + padding) % 4);
  return std::nullopt;
}

}  // namespace plimsoll::api
