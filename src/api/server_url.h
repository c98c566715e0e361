#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>

namespace plimsoll::api {

inline constexpr std::size_t kServerUrlBytesMax = 2048;

/// The URL of an HTTP server that a user has configured, in its parts.
struct ServerUrl {
  bool is_tls = false;
  std::string authority;  // host, or host:port
  std::string path;       // prefix of all paths, such as /prometheus; without a slash at the end

  /// Returns `https://host:port`.
  std::string Base() const;
};

/// Parses `http://` or `https://` with a host, and perhaps a port and a path. Returns the fault
/// for users if the text has another scheme, user information, a query or a fragment.
std::expected<ServerUrl, std::string> ParseServerUrl(std::string_view text);

}  // namespace plimsoll::api
