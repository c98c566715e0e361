#include "cel/library/go_url.h"

#include <algorithm>

#include "base/go_text.h"
#include "cel/library/go_url_escape.h"
#include "cel/library/ip_address.h"

namespace plimsoll::cel {
namespace {

constexpr auto kNone = std::string_view::npos;

/// The text before the first separator, which leaves the text with it.
std::string_view Cut(std::string_view& text, char separator) {
  const std::size_t at = text.find(separator);
  const std::string_view before = text.substr(0, at);
  text.remove_prefix(at == kNone ? text.size() : at + 1);
  return before;
}

bool IsPort(std::string_view text) {
  if (text.empty()) return true;
  return text[0] == ':' && text.find_first_not_of("0123456789", 1) == kNone;
}

bool IsUserInfo(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    const bool is_alphanumeric =
        (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return is_alphanumeric || std::string_view("-._:~!$&'()*+,;=%@").find(c) != kNone;
  });
}

std::string EscapedAs(const std::string& raw, const std::string& plain, UrlPart part) {
  if (!raw.empty() && IsEncoded(raw, part)) {
    const auto decoded = UnescapeUrl(raw, part);
    if (decoded && *decoded == plain) return raw;
  }
  return EscapeUrl(plain, part);
}

/// The host and the port of an authority.
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

/// Takes a URL apart. A step that fails leaves the fault behind.
class UrlReader {
 public:
  UrlReader(std::string_view text, bool is_request) : text_(text), is_request_(is_request) {}

  std::expected<GoUrl, std::string> Read() {
    ReadAll();
    if (fault_) return std::unexpected(*fault_);
    return std::move(url_);
  }

 private:
  void ReadAll() {
    const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; };
    if (std::any_of(text_.begin(), text_.end(), is_control)) {
      return Refuse("net/url: invalid control character in URL");
    }
    if (text_.empty() && is_request_) return Refuse("empty url");
    if (text_ == "*") {
      url_.path = "*";
      return;
    }
    rest_ = text_;
    ReadScheme();
    if (fault_) return;
    if (rest_.ends_with('?') && std::count(rest_.begin(), rest_.end(), '?') == 1) {
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
    if (!fault_) Decode(rest_, UrlPart::Path, url_.path, url_.raw_path);
  }

  void ReadScheme() {
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      const char c = rest_[i];
      const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      const bool is_later = (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
      if (c == ':') {
        if (i == 0) return Refuse("missing protocol scheme");
        for (const char letter : rest_.substr(0, i)) {
          const bool is_upper = letter >= 'A' && letter <= 'Z';
          url_.scheme += static_cast<char>(is_upper ? letter + ('a' - 'A') : letter);
        }
        rest_.remove_prefix(i + 1);
        return;
      }
      if (!is_letter && (!is_later || i == 0)) return;
    }
  }

  void ReadAuthority(std::string_view authority) {
    const std::size_t at = authority.rfind('@');
    ReadHost(at == kNone ? authority : authority.substr(at + 1));
    if (fault_ || at == kNone) return;
    std::string_view info = authority.substr(0, at);
    if (!IsUserInfo(info)) return Refuse("net/url: invalid userinfo");
    const bool has_password = info.find(':') != kNone;
    url_.has_user = true;
    url_.user = Unescape(Cut(info, ':'), UrlPart::User);
    if (has_password) url_.password = Unescape(info, UrlPart::User);
  }

  void ReadHost(std::string_view host) {
    const std::size_t open = host.rfind('[');
    if (open != kNone) return ReadBracketedHost(host, open);
    const std::size_t colon = host.find(':');
    if (colon != kNone && !IsPort(host.substr(colon))) return RefusePort(host.substr(colon));
    url_.host = Unescape(host, UrlPart::Host);
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
    const std::string address =
        Unescape(name.substr(0, zone), UrlPart::Host) + Unescape(name.substr(zone), UrlPart::Zone);
    if (fault_) return;
    const std::expected<IpAddress, std::string> parsed = ParseIpAddress(address);
    if (!parsed) return Refuse("invalid host: " + parsed.error());
    if (parsed->is_v4) return Refuse("invalid IP-literal");
    url_.host = '[' + address + ']' + std::string(port);
  }

  void Decode(std::string_view raw, UrlPart part, std::string& plain, std::string& kept_raw) {
    plain = Unescape(raw, part);
    if (EscapeUrl(plain, part) != raw) kept_raw = raw;
  }

  std::string Unescape(std::string_view text, UrlPart part) {
    std::expected<std::string, std::string> plain = UnescapeUrl(text, part);
    if (plain) return *std::move(plain);
    Refuse(plain.error());
    return {};
  }

  void RefusePort(std::string_view port) {
    Refuse("invalid port " + GoQuote(port) + " after host");
  }
  void Refuse(std::string fault) {
    if (!fault_) fault_ = std::move(fault);
  }

  const std::string_view text_;
  const bool is_request_;
  std::string_view rest_;
  GoUrl url_;
  std::optional<std::string> fault_;
};

std::string ParseFault(std::string_view text, const std::string& fault) {
  return "parse " + GoQuote(text) + ": " + fault;
}

}  // namespace

std::string GoUrl::Hostname() const { return std::string(SplitPort(host).first); }

std::string GoUrl::Port() const { return std::string(SplitPort(host).second); }

std::string GoUrl::EscapedPath() const {
  return path == "*" ? path : EscapedAs(raw_path, path, UrlPart::Path);
}

std::vector<std::pair<std::string, std::string>> GoUrl::Query() const {
  std::vector<std::pair<std::string, std::string>> pairs;
  std::string_view rest = raw_query;
  while (!rest.empty()) {
    std::string_view pair = Cut(rest, '&');
    if (pair.empty() || pair.find(';') != kNone) continue;
    std::expected<std::string, std::string> key = UnescapeUrl(Cut(pair, '='), UrlPart::Query);
    std::expected<std::string, std::string> value = UnescapeUrl(pair, UrlPart::Query);
    if (key && value) pairs.emplace_back(*std::move(key), *std::move(value));
  }
  return pairs;
}

std::string GoUrl::Text() const {
  std::string out;
  if (!scheme.empty()) out += scheme + ':';
  if (!opaque.empty()) {
    out += opaque;
  } else {
    const bool is_omitted = omits_host && host.empty() && !has_user;
    const bool has_authority = !host.empty() || !path.empty() || has_user;
    if ((!scheme.empty() || !host.empty() || has_user) && !is_omitted) {
      if (has_authority) out += "//";
      if (has_user) {
        out += EscapeUrl(user, UrlPart::User);
        if (password) out += ':' + EscapeUrl(*password, UrlPart::User);
        out += '@';
      }
      out += EscapeUrl(host, UrlPart::Host);
    }
    const std::string escaped = EscapedPath();
    if (!escaped.empty() && escaped[0] != '/' && !host.empty()) out += '/';
    // A colon in the first segment would read as a scheme.
    if (out.empty() && escaped.substr(0, escaped.find('/')).find(':') != kNone) out += "./";
    out += escaped;
  }
  if (forces_query || !raw_query.empty()) out += '?' + raw_query;
  if (!fragment.empty()) out += '#' + EscapedAs(raw_fragment, fragment, UrlPart::Fragment);
  return out;
}

std::expected<GoUrl, std::string> ParseUrl(std::string_view text) {
  std::string_view fragment = text;
  const std::string_view before = Cut(fragment, '#');
  std::expected<GoUrl, std::string> url = UrlReader(before, false).Read();
  if (!url) return std::unexpected(ParseFault(before, url.error()));
  if (fragment.empty()) return url;
  const std::expected<std::string, std::string> plain = UnescapeUrl(fragment, UrlPart::Fragment);
  if (!plain) return std::unexpected(ParseFault(text, plain.error()));
  url->fragment = *plain;
  if (EscapeUrl(*plain, UrlPart::Fragment) != fragment) url->raw_fragment = fragment;
  return url;
}

std::optional<std::string> FindRequestUriFault(std::string_view text) {
  const std::expected<GoUrl, std::string> url = UrlReader(text, true).Read();
  if (url) return std::nullopt;
  return ParseFault(text, url.error());
}

}  // namespace plimsoll::cel
