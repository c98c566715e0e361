#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plimsoll::cel {

/// A URL as Go's package net/url takes it apart and puts it together.
struct GoUrl {
  std::string scheme;
  std::string opaque;  // what follows the scheme when that is no path
  bool has_user = false;
  std::string user;
  std::optional<std::string> password;
  std::string host;      // with its port
  std::string path;      // decoded
  std::string raw_path;  // as written, where the usual encoding of `path` differs
  bool omits_host = false;
  bool forces_query = false;
  std::string raw_query;
  std::string fragment;
  std::string raw_fragment;

  std::string Hostname() const;
  std::string Port() const;
  std::string EscapedPath() const;
  /// Keys and values in their order; what cannot be decoded is left out.
  std::vector<std::pair<std::string, std::string>> Query() const;
  std::string Text() const;
};

/// url.Parse. The error is Go's: parse ":foo": missing protocol scheme.
std::expected<GoUrl, std::string> ParseUrl(std::string_view text);
/// Whether url.ParseRequestURI takes it, which wants an absolute URI or path: nothing, or Go's
/// error.
std::optional<std::string> FindRequestUriFault(std::string_view text);

}  // namespace plimsoll::cel
