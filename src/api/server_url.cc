#include "api/server_url.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "base/syntax.h"
#include "base/text/ascii.h"

namespace plimsoll::api {
namespace {

using Fault = std::unexpected<std::string>;

/// True if the text can stand in a request line.
bool IsPrintable(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c > ' ' && c < '\x7f'; });
}

bool IsPort(std::string_view text) {
  std::uint16_t port = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, port);
  return error == std::errc{} && stop == end && port > 0;
}

bool IsHost(std::string_view host) {
  if (host.starts_with('[')) {
    return host.ends_with(']') && CheckIp(host.substr(1, host.size() - 2)).empty();
  }
  return CheckIp(host).empty() || CheckDns1123Subdomain(Lowered(host)).empty();
}

/// Length of the host in `host:port`.
std::size_t HostSize(std::string_view authority) {
  const std::size_t bracket = authority.rfind(']');
  const std::size_t colon = authority.find(':', bracket == authority.npos ? 0 : bracket);
  return colon == authority.npos ? authority.size() : colon;
}

}  // namespace

std::string ServerUrl::Base() const { return (is_tls ? "https://" : "http://") + authority; }

std::expected<ServerUrl, std::string> ParseServerUrl(std::string_view text) {
  ServerUrl url;
  if (text.size() > kServerUrlBytesMax) {
    return Fault("may not be more than " + std::to_string(kServerUrlBytesMax) + " bytes");
  }
  if (!IsPrintable(text)) return Fault("must not contain blanks or control characters");
  if (text.starts_with("https://")) {
    url.is_tls = true;
    text.remove_prefix(std::string_view("https://").size());
  } else if (text.starts_with("http://")) {
    text.remove_prefix(std::string_view("http://").size());
  } else {
    return Fault("must begin with https:// or http://");
  }
  if (text.find_first_of("?#") != text.npos) return Fault("must have no query and no fragment");
  const std::string_view authority = text.substr(0, text.find('/'));
  if (authority.contains('@')) return Fault("must have no user information; use a Secret");
  const std::size_t host_size = HostSize(authority);
  if (host_size == 0 || !IsHost(authority.substr(0, host_size))) return Fault("must have a host");
  if (host_size < authority.size() && !IsPort(authority.substr(host_size + 1))) {
    return Fault("must have a port from 1 to 65535");
  }
  url.authority = authority;
  text.remove_prefix(authority.size());
  while (text.ends_with('/')) text.remove_suffix(1);
  url.path = text;
  return url;
}

}  // namespace plimsoll::api
