#include "net/http.h"

#include <algorithm>

#include "base/text/ascii.h"
#include "base/text/hex.h"

namespace plimsoll::net {
namespace {

bool EqualNames(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, ToLower, ToLower);
}

/// Decodes %XX and, in a query, `+`.
Result<std::string> Unescape(std::string_view text, bool is_query) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && is_query) {
      out += ' ';
    } else if (text[i] != '%') {
      out += text[i];
    } else {
      const int high = i + 2 < text.size() ? HexDigit(text[i + 1]) : -1;
      const int low = i + 2 < text.size() ? HexDigit(text[i + 2]) : -1;
      if (high < 0 || low < 0) {
        return Fail(Reason::BadRequest,
                    "invalid URL escape \"" + std::string(text.substr(i, 3)) + "\"");
      }
      out += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  return out;
}

}  // namespace

std::string_view Headers::Find(std::string_view name) const {
  for (const auto& [key, value] : fields_) {
    if (EqualNames(key, name)) return value;
  }
  return {};
}

bool Headers::Has(std::string_view name) const {
  return std::ranges::any_of(fields_,
                             [&](const auto& field) { return EqualNames(field.first, name); });
}

std::vector<std::string_view> Headers::FindAll(std::string_view name) const {
  std::vector<std::string_view> found;
  for (const auto& [key, value] : fields_) {
    if (EqualNames(key, name)) found.push_back(value);
  }
  return found;
}

void Headers::Remove(std::string_view name) {
  std::erase_if(fields_, [&](const auto& field) { return EqualNames(field.first, name); });
}

std::string_view Target::Query(std::string_view name) const {
  for (const auto& [key, value] : query) {
    if (key == name) return value;
  }
  return {};
}

bool Target::HasQuery(std::string_view name) const {
  return std::ranges::any_of(query, [&](const auto& parameter) { return parameter.first == name; });
}

Result<Target> ParseTarget(std::string_view target) {
  if (!target.starts_with('/')) {
    return Fail(Reason::BadRequest, "the request's target must be a path that begins with /");
  }
  Target parsed;
  const std::size_t mark = target.find('?');
  parsed.path = PL_TRY(Unescape(target.substr(0, mark), /*is_query=*/false));
  std::string_view query = mark == std::string_view::npos ? "" : target.substr(mark + 1);
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view pair = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    if (pair.empty()) continue;
    const std::size_t equals = std::min(pair.find('='), pair.size());
    std::string name = PL_TRY(Unescape(pair.substr(0, equals), /*is_query=*/true));
    std::string value =
        PL_TRY(Unescape(pair.substr(std::min(equals + 1, pair.size())), /*is_query=*/true));
    parsed.query.emplace_back(std::move(name), std::move(value));
  }
  return parsed;
}

std::string PercentEncode(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool plain = IsAlphanumeric(c) || c == '-' || c == '_' || c == '.' || c == '~';
    if (plain) {
      out += c;
    } else {
      out += '%';
      AppendHexByte(c, out, kUpperHexDigits);
    }
  }
  return out;
}

}  // namespace plimsoll::net
