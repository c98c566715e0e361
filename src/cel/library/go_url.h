#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cel/arena.h"

namespace plimsoll::cel {

/// A URL as Go's package net/url takes it apart and puts it together. Its parts are parts of the
/// text or of the arena it was read with.
struct GoUrl {
  std::string_view scheme;
  std::string_view opaque;  // what follows the scheme when that is no path
  bool has_user = false;
  std::string_view user;
  std::optional<std::string_view> password;
  std::string_view host;          // with its port
  std::string_view escaped_path;  // as written, where that is an encoding of the path
  bool omits_host = false;
  bool forces_query = false;
  std::string_view raw_query;
  std::string_view escaped_fragment;

  std::string_view Hostname() const;
  std::string_view Port() const;
  /// Keys and values in their order; what cannot be decoded is left out.
  std::vector<std::pair<std::string_view, std::string_view>> Query(Arena& arena) const;
  std::string Text() const;
};

/// What is a URL to both of Go's parsers, of which only url.ParseRequestURI refuses relative
/// references, and only url.Parse knows fragments. The URL is that of the latter.
std::optional<GoUrl> ReadAbsoluteUrl(std::string_view text, Arena& arena);

/// url.Parse. Nothing when Go refuses the text; ExplainUrl says what Go would.
std::optional<GoUrl> ReadUrl(std::string_view text, Arena& arena);
/// `parse ":foo": missing protocol scheme`
std::string ExplainUrl(std::string_view text);

/// Whether url.ParseRequestURI takes a text, which wants an absolute URI or path.
bool IsRequestUri(std::string_view text);
std::string ExplainRequestUri(std::string_view text);

}  // namespace plimsoll::cel
