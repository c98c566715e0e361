#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/object.h"

/// Decoded objects that a server passes to a client in the same process, which avoids parsing. They
/// are in `net::Piece::object` of a watch and `net::Response::object` of a get or list.
namespace plimsoll::api {

/// One event of a watch of whole objects. BOOKMARK and ERROR events have no
/// object; read their text instead.
struct WatchPiece {
  std::string_view type;  // ADDED, MODIFIED, DELETED; a string literal
  std::shared_ptr<const Object> object;
};

/// A list of whole objects.
struct ListPiece {
  std::string resource_version;
  std::string continue_token;
  std::vector<std::shared_ptr<const Object>> objects;
};

}  // namespace plimsoll::api
