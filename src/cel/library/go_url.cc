#include "cel/library/go_url.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "base/go_text.h"
#include "base/text/ascii.h"
#include "cel/library/go_url_escape.h"
#include "cel/library/ip_address.h"

namespace plimsoll::cel {
namespace {

constexpr auto kNone = std::string_view::npos;

/// Removes the text up to the first separator and returns it without the separator.
std::string_view Cut(std::string_view& text, char separator) {
  const std::size_t at = text.find(separator);
  const std::string_view before = text.substr(0, at);
  text.remove_prefix(at == kNone ? text.size() : at + 1);
  return before;
}

bool IsPort(std::string_view text) {
  if (text.empty()) return true;
  return text[0] == ':' && std::all_of(text.begin() + 1, text.end(), IsDigit);
}

constexpr std::array<bool, 256> kIsUserInfo = [] {
  std::array<bool, 256> table{};
  for (char c = '0'; c <= '9'; ++c) table[static_cast<std::size_t>(c)] = true;
  for (char c = 'a'; c <= 'z'; ++c) table[static_cast<std::size_t>(c)] = true;
  for (char c = 'A'; c <= 'Z'; ++c) table[static_cast<std::size_t>(c)] = true;
  for (const char c : std::string_view("-._:~!$&'()*+,;=%@")) {
    table[static_cast<std::size_t>(c)] = true;
  }
  return table;
}();

bool IsUserInfo(std::string_view text) {
  return std::ranges::all_of(text,
                             [](char c) { return kIsUserInfo[static_cast<unsigned char>(c)]; });
}

/// Scans eight bytes at a time, because every byte of every URL is checked. A false hit is possible
/// only after a true one, so the result is exact.
bool HasControls(std::string_view text) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  constexpr std::uint64_t kHighs = 0x80 * kOnes;
  std::size_t at = 0;
  for (; text.size() - at >= sizeof(std::uint64_t); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, sizeof word);
    const std::uint64_t flipped = word ^ (0x7f * kOnes);
    const std::uint64_t below_space = (word - ' ' * kOnes) & ~word;
    const std::uint64_t deletes = (flipped - kOnes) & ~flipped;
    if (((below_space | deletes) & kHighs) != 0) return true;
  }
  return std::ranges::any_of(
      text.substr(at), [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; });
}

/// Splits an authority into host and port.
std::pair<std::string_view, std::string_view> SplitPort(std::string_view host) {
  std::string_view port;
  const std::size_t colon = host.rfind(':');
  if (colon != kNone && IsPort(host.substr(colon))) {
    port = host.substr(colon + 1);
    host = host.substr(0, colon);
  }
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return {host, port};
}

std::string_view Decode(std::string_view text, const EncodedText& scan, UrlPart part,
                        Arena& arena) {
  const bool is_same = scan.size == text.size() && part != UrlPart::Query;
  if (is_same || text.empty()) return text;
  char* const out = arena.Allocate<char>(scan.size);
  DecodeUrl(text, part, out);
  return {out, scan.size};
}

/// URL parser. A failed step records a fault; its text is composed only for Explain.
class UrlReader {
 public:
  /// Without an arena, the URL is checked but not stored.
  UrlReader(std::string_view text, bool is_request, Arena* arena = nullptr)
      : text_(text), is_request_(is_request), arena_(arena) {}

  bool Read() {
    ReadAll();
    return !has_fault_;
  }

  /// Returns why the text is no URL.
  std::string Explain() {
    explains_ = true;
    ReadAll();
    return fault_;
  }

  const GoUrl& url() const { return url_; }

  /// Returns the text itself, or its canonical encoding if it cannot be used unchanged.
  std::string_view Escaped(std::string_view text, UrlPart part) {
    const EncodedText scan = Scan(text, part);
    if (!scan.is_valid || arena_ == nullptr) return {};
    if (scan.is_usual || scan.can_stand) return text;
    return arena_->Copy(EscapeUrl(Decode(text, scan, part, *arena_), part));
  }

 private:
  void ReadAll() {
    if (HasControls(text_)) return Refuse("net/url: invalid control character in URL");
    if (text_.empty() && is_request_) return Refuse("empty url");
    if (text_ == "*") {
      url_.escaped_path = text_;
      return;
    }
    rest_ = text_;
    ReadScheme();
    if (has_fault_) return;
    if (rest_.ends_with('?') && rest_.find('?') == rest_.size() - 1) {
      url_.forces_query = true;
      rest_.remove_suffix(1);
    } else {
      std::string_view query = rest_;
      rest_ = Cut(query, '?');
      url_.raw_query = query;
    }
    const bool is_rooted = rest_.starts_with('/');
    if (!is_rooted && !url_.scheme.empty()) {
      url_.opaque = rest_;
      return;
    }
    if (!is_rooted && is_request_) return Refuse("invalid URI for request");
    if (!is_rooted && rest_.substr(0, rest_.find('/')).find(':') != kNone) {
      return Refuse("first path segment in URL cannot contain colon");
    }
    const bool may_have_host = !url_.scheme.empty() || (!is_request_ && !rest_.starts_with("///"));
    if (may_have_host && rest_.starts_with("//")) {
      rest_.remove_prefix(2);
      const std::string_view authority = rest_.substr(0, rest_.find('/'));
      rest_.remove_prefix(authority.size());
      ReadAuthority(authority);
    } else if (!url_.scheme.empty() && is_rooted) {
      url_.omits_host = true;
    }
    if (!has_fault_) url_.escaped_path = Escaped(rest_, UrlPart::Path);
  }

  void ReadScheme() {
    bool has_upper = false;
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      const char c = rest_[i];
      const bool is_upper = IsUpper(c);
      const bool is_letter = IsLower(c) || is_upper;
      const bool is_later = IsDigit(c) || c == '+' || c == '-' || c == '.';
      has_upper = has_upper || is_upper;
      if (c == ':') {
        if (i == 0) return Refuse("missing protocol scheme");
        url_.scheme = rest_.substr(0, i);
        if (has_upper && arena_ != nullptr) url_.scheme = Lower(url_.scheme);
        rest_.remove_prefix(i + 1);
        return;
      }
      if (!is_letter && (!is_later || i == 0)) return;
    }
  }

  std::string_view Lower(std::string_view text) {
    char* const lower = arena_->Allocate<char>(text.size());
    std::ranges::transform(text, lower, ToLower);
    return {lower, text.size()};
  }

  void ReadAuthority(std::string_view authority) {
    const std::size_t at = authority.rfind('@');
    ReadHost(at == kNone ? authority : authority.substr(at + 1));
    if (has_fault_ || at == kNone) return;
    std::string_view info = authority.substr(0, at);
    if (!IsUserInfo(info)) return Refuse("net/url: invalid userinfo");
    const bool has_password = info.find(':') != kNone;
    url_.has_user = true;
    url_.user = Unescaped(Cut(info, ':'), UrlPart::User);
    if (has_password) url_.password = Unescaped(info, UrlPart::User);
  }

  void ReadHost(std::string_view host) {
    const std::size_t open = host.rfind('[');
    if (open != kNone) return ReadBracketedHost(host, open);
    const std::size_t colon = host.find(':');
    if (colon != kNone && !IsPort(host.substr(colon))) return RefusePort(host.substr(colon));
    url_.host = Unescaped(host, UrlPart::Host);
  }

  /// `[fe80::1%25en0]:80`
  void ReadBracketedHost(std::string_view host, std::size_t open) {
    if (open > 0) return Refuse("invalid IP-literal");
    const std::size_t close = host.rfind(']');
    if (close == kNone) return Refuse("missing ']' in host");
    const std::string_view port = host.substr(close + 1);
    if (!IsPort(port)) return RefusePort(port);
    const std::string_view name = host.substr(1, close - 1);
    const std::size_t zone = std::min(name.find("%25"), name.size());
    std::string address;
    AppendUnescaped(address, name.substr(0, zone), UrlPart::Host);
    AppendUnescaped(address, name.substr(zone), UrlPart::Zone);
    if (has_fault_) return;
    const std::optional<IpAddress> parsed = ReadIpAddress(address);
    if (!parsed) return Refuse("invalid host: ", [&] { return ExplainIpAddress(address); });
    if (parsed->is_v4) return Refuse("invalid IP-literal");
    if (arena_ != nullptr) {
      url_.host = arena_->Copy('[' + address + ']' + std::string(port));
    }
  }

  void AppendUnescaped(std::string& out, std::string_view text, UrlPart part) {
    const EncodedText scan = Scan(text, part);
    if (!scan.is_valid) return;
    const std::size_t size = out.size();
    out.resize(size + scan.size);
    DecodeUrl(text, part, out.data() + size);
  }

  std::string_view Unescaped(std::string_view text, UrlPart part) {
    const EncodedText scan = Scan(text, part);
    if (!scan.is_valid || arena_ == nullptr) return {};
    return Decode(text, scan, part, *arena_);
  }

  EncodedText Scan(std::string_view text, UrlPart part) {
    const EncodedText scan = ScanUrl(text, part);
    if (!scan.is_valid) Refuse("", [&] { return ExplainUrlEscape(text, part); });
    return scan;
  }

  void RefusePort(std::string_view port) {
    Refuse("invalid port ", [&] { return GoQuote(port) + " after host"; });
  }
  void Refuse(std::string_view fault) {
    Refuse(fault, [] { return std::string(); });
  }
  template <class More>
  void Refuse(std::string_view fault, More more) {
    if (explains_ && !has_fault_) fault_ = std::string(fault) + more();
    has_fault_ = true;
  }

  const std::string_view text_;
  const bool is_request_;
  Arena* const arena_;
  std::string_view rest_;
  GoUrl url_;
  bool has_fault_ = false;
  bool explains_ = false;
  std::string fault_;
};

std::string ParseFault(std::string_view text, const std::string& fault) {
  return "parse " + GoQuote(text) + ": " + fault;
}

}  // namespace

std::string_view GoUrl::Hostname() const { return SplitPort(host).first; }

std::string_view GoUrl::Port() const { return SplitPort(host).second; }

std::vector<std::pair<std::string_view, std::string_view>> GoUrl::Query(Arena& arena) const {
  std::vector<std::pair<std::string_view, std::string_view>> pairs;
  std::string_view rest = raw_query;
  while (!rest.empty()) {
    std::string_view value = Cut(rest, '&');
    if (value.empty() || value.find(';') != kNone) continue;
    const std::string_view key = Cut(value, '=');
    const EncodedText scan_key = ScanUrl(key, UrlPart::Query);
    const EncodedText scan_value = ScanUrl(value, UrlPart::Query);
    if (!scan_key.is_valid || !scan_value.is_valid) continue;
    pairs.emplace_back(Decode(key, scan_key, UrlPart::Query, arena),
                       Decode(value, scan_value, UrlPart::Query, arena));
  }
  return pairs;
}

std::string GoUrl::Text() const {
  std::string out;
  if (!scheme.empty()) out.append(scheme).append(1, ':');
  if (!opaque.empty()) {
    out += opaque;
  } else {
    const bool is_omitted = omits_host && host.empty() && !has_user;
    const bool has_authority = !host.empty() || !escaped_path.empty() || has_user;
    if ((!scheme.empty() || !host.empty() || has_user) && !is_omitted) {
      if (has_authority) out += "//";
      if (has_user) {
        out += EscapeUrl(user, UrlPart::User);
        if (password) out += ':' + EscapeUrl(*password, UrlPart::User);
        out += '@';
      }
      out += EscapeUrl(host, UrlPart::Host);
    }
    if (!escaped_path.empty() && escaped_path[0] != '/' && !host.empty()) out += '/';
    // A colon in the first segment would be parsed as a scheme.
    const std::string_view first = escaped_path.substr(0, escaped_path.find('/'));
    if (out.empty() && first.find(':') != kNone) out += "./";
    out += escaped_path;
  }
  if (forces_query || !raw_query.empty()) out.append(1, '?').append(raw_query);
  if (!escaped_fragment.empty()) out.append(1, '#').append(escaped_fragment);
  return out;
}

std::optional<GoUrl> ReadUrl(std::string_view text, Arena& arena) {
  std::string_view fragment = text;
  const std::string_view before = Cut(fragment, '#');
  UrlReader reader(before, false, &arena);
  if (!reader.Read()) return std::nullopt;
  GoUrl url = reader.url();
  if (fragment.empty()) return url;
  url.escaped_fragment = reader.Escaped(fragment, UrlPart::Fragment);
  if (url.escaped_fragment.empty()) return std::nullopt;
  return url;
}

std::optional<GoUrl> ReadAbsoluteUrl(std::string_view text, Arena& arena) {
  UrlReader reader(text, true, &arena);
  if (!reader.Read()) return std::nullopt;
  // With a scheme, the two parsers differ only in the fragment.
  const bool is_same = !reader.url().scheme.empty() && text.find('#') == kNone;
  return is_same ? reader.url() : ReadUrl(text, arena);
}

std::string ExplainUrl(std::string_view text) {
  std::string_view fragment = text;
  const std::string_view before = Cut(fragment, '#');
  const std::string fault = UrlReader(before, false).Explain();
  if (!fault.empty()) return ParseFault(before, fault);
  return ParseFault(text, ExplainUrlEscape(fragment, UrlPart::Fragment));
}

bool IsRequestUri(std::string_view text) { return UrlReader(text, true).Read(); }

std::string ExplainRequestUri(std::string_view text) {
  return ParseFault(text, UrlReader(text, true).Explain());
}

}  // namespace plimsoll::cel
