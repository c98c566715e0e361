#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plimsoll::apiserver {

/// One clause of an Accept header, or a Content-Type: `application/json;as=Table;v=v1`.
struct MediaRange {
  std::string type;  // application/json, application/*, */*; in lower case
  std::vector<std::pair<std::string, std::string>> parameters;
  double quality = 1;

  std::string_view Parameter(std::string_view name) const;
  bool Covers(std::string_view media_type) const;
};

/// Returns the clauses in order of preference: by quality, then by position. Skips clauses that
/// cannot be parsed.
std::vector<MediaRange> ParseAccept(std::string_view header);

/// Parses a Content-Type. The type is empty if the header is.
MediaRange ParseMediaType(std::string_view header);

}  // namespace plimsoll::apiserver
