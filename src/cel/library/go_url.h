#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cel/arena.h"

namespace plimsoll::cel {

/// A URL as Go's package net/url parses and formats it. Its parts are views of the text or of
/// the arena it was parsed with.
struct GoUrl {
  std::string_view scheme;
  std::string_view opaque;  // the rest after the scheme if that is no path
  bool has_user = false;
  std::string_view user;
  std::optional<std::string_view> password;
  std::string_view host;          // with its port
  std::string_view escaped_path;  // as written, if that is a valid encoding of the path
  bool omits_host = false;
  bool forces_query = false;
  std::string_view raw_query;
  std::string_view escaped_fragment;

  std::string_view Hostname() const;
  std::string_view Port() const;
  /// Returns keys and values in order; skips those that cannot be decoded.
  std::vector<std::pair<std::string_view, std::string_view>> Query(Arena& arena) const;
  std::string Text() const;
};

/// Parses a text that both of Go's parsers accept. Only url.ParseRequestURI rejects relative
/// references, and only url.Parse supports fragments. Returns the result of url.Parse.
std::optional<GoUrl> ReadAbsoluteUrl(std::string_view text, Arena& arena);

/// Go's url.Parse. Returns nothing if Go rejects the text; ExplainUrl returns Go's error.
std::optional<GoUrl> ReadUrl(std::string_view text, Arena& arena);
/// Returns an error such as `parse ":foo": missing protocol scheme`.
std::string ExplainUrl(std::string_view text);

/// Returns true if url.ParseRequestURI accepts the text, which must be an absolute URI or path.
bool IsRequestUri(std::string_view text);
std::string ExplainRequestUri(std::string_view text);

}  // namespace plimsoll::cel
