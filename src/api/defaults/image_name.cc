#include "api/defaults/image_name.h"

#include <algorithm>

#include "base/text/ascii.h"

namespace plimsoll::api::defaults {
namespace {

constexpr std::size_t kNameBytesMax = 255;
constexpr std::size_t kTagBytesMax = 128;
constexpr std::size_t kDigestHexMin = 32;
constexpr std::size_t kIdentifierBytes = 64;
constexpr std::string_view kDefaultDomain = "docker.io/";
constexpr std::string_view kOfficialRepository = "library/";

/// Matches words of a-z and 0-9, separated by one of `.`, `_`, `__` or any number of `-`.
bool IsPathComponent(std::string_view text) {
  std::size_t at = 0;
  while (true) {
    const std::size_t word = at;
    while (at < text.size() && (IsLower(text[at]) || IsDigit(text[at]))) ++at;
    if (at == word) return false;
    if (at == text.size()) return true;
    const std::size_t separator = at;
    while (at < text.size() && text[at] == text[separator]) ++at;
    const std::size_t count = at - separator;
    const bool fits = (text[separator] == '.' && count == 1) ||
                      (text[separator] == '_' && count <= 2) || text[separator] == '-';
    if (!fits) return false;
  }
}

bool IsPath(std::string_view text) {
  while (true) {
    const std::size_t end = text.find('/');
    if (!IsPathComponent(text.substr(0, end))) return false;
    if (end == std::string_view::npos) return true;
    text.remove_prefix(end + 1);
  }
}

bool IsHost(std::string_view text) {
  if (text.starts_with('[') && text.ends_with(']')) {
    text = text.substr(1, text.size() - 2);
    return !text.empty() &&
           std::ranges::all_of(text, [](char c) { return IsHexDigit(c) || c == ':'; });
  }
  while (true) {
    const std::size_t end = text.find('.');
    const std::string_view part = text.substr(0, end);
    const auto fits = [](char c) { return IsAlphanumeric(c) || c == '-'; };
    if (part.empty() || part.front() == '-' || part.back() == '-' ||
        !std::ranges::all_of(part, fits)) {
      return false;
    }
    if (end == std::string_view::npos) return true;
    text.remove_prefix(end + 1);
  }
}

/// Matches a host with an optional port.
bool IsDomain(std::string_view text) {
  const std::size_t bracket = text.rfind(']');
  const std::size_t colon = text.find(':', bracket == std::string_view::npos ? 0 : bracket);
  if (colon != std::string_view::npos) {
    const std::string_view port = text.substr(colon + 1);
    if (port.empty() || !std::ranges::all_of(port, IsDigit)) return false;
  }
  return IsHost(text.substr(0, colon));
}

bool IsTag(std::string_view text) {
  const auto fits = [](char c) { return IsAlphanumeric(c) || c == '_' || c == '.' || c == '-'; };
  return !text.empty() && text.size() <= kTagBytesMax && text.front() != '.' &&
         text.front() != '-' && std::ranges::all_of(text, fits);
}

/// Matches `algorithm:hex`, such as `sha256:` and digits. The algorithm begins with a letter.
bool IsDigest(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return false;
  const std::string_view hex = text.substr(colon + 1);
  if (hex.size() < kDigestHexMin || !std::ranges::all_of(hex, IsHexDigit)) return false;
  bool at_word_start = true;
  for (const char c : text.substr(0, colon)) {
    const bool is_separator = c == '-' || c == '_' || c == '+' || c == '.';
    if (at_word_start ? !IsLetter(c) : !IsAlphanumeric(c) && !is_separator) return false;
    at_word_start = is_separator;
  }
  return !at_word_start;
}

bool IsIdentifier(std::string_view text) {
  return text.size() == kIdentifierBytes &&
         std::ranges::all_of(text, [](char c) { return IsDigit(c) || (c >= 'a' && c <= 'f'); });
}

/// Returns true if the part before the first slash is a registry, not a user of the default one.
bool NamesDomain(std::string_view first) {
  return first.find_first_of(".:") != std::string_view::npos || first == "localhost" ||
         std::ranges::any_of(first, IsUpper);
}

}  // namespace

bool IsLatestImage(std::string_view image) {
  if (IsIdentifier(image)) return false;
  const std::size_t at = image.find('@');
  const bool has_digest = at != std::string_view::npos;
  if (has_digest && !IsDigest(image.substr(at + 1))) return false;
  std::string_view name = image.substr(0, at);

  std::string_view domain;
  const std::size_t slash = name.find('/');
  if (slash != std::string_view::npos && NamesDomain(name.substr(0, slash))) {
    domain = name.substr(0, slash);
    name.remove_prefix(slash + 1);
    if (!IsDomain(domain)) return false;
  }
  const std::size_t colon = name.find(':');
  const bool has_tag = colon != std::string_view::npos;
  const std::string_view tag = has_tag ? name.substr(colon + 1) : std::string_view();
  if (has_tag && !IsTag(tag)) return false;
  const std::string_view path = name.substr(0, colon);
  if (!IsPath(path)) return false;

  std::size_t name_bytes = domain.size() + 1 + path.size();
  if (domain.empty()) {
    name_bytes = kDefaultDomain.size() + path.size();
    if (path.find('/') == std::string_view::npos) name_bytes += kOfficialRepository.size();
  }
  if (name_bytes > kNameBytesMax) return false;
  return has_tag ? tag == "latest" : !has_digest;
}

}  // namespace plimsoll::api::defaults
