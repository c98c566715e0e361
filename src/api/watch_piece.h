#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/object.h"

/// What a server hands to a client in the same process beside the text, so that nobody parses it:
/// `net::Piece::object` of a watch, and `net::Response::object` of a get or list.
namespace plimsoll::api {

/// One event of a watch of whole objects. A BOOKMARK and an ERROR have no object; their text is to
/// be read.
struct WatchPiece {
  std::string_view type;  // ADDED, MODIFIED, DELETED; a literal
  std::shared_ptr<const Object> object;
};

/// A list of whole objects.
struct ListPiece {
  std::string resource_version;
  std::string continue_token;
  std::vector<std::shared_ptr<const Object>> objects;
};

}  // namespace plimsoll::api
