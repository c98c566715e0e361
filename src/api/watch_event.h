#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "api/object.h"

/// Results of a watch and a list. A server passes them as they are to a client in the same process,
/// as payload of a net::Piece or a net::Response. So that client parses nothing.
namespace plimsoll::api {

/// One event of a watch.
struct WatchEvent {
  enum class Type : std::uint8_t { Added, Modified, Deleted, Bookmark };

  Type type = Type::Bookmark;
  std::shared_ptr<const Object> object = {};  // null for Bookmark
  std::string resource_version = {};          // for Bookmark; otherwise see the object
  bool ends_initial_events = false;           // for Bookmark: all existing objects have been sent
};

/// A list, or one page of it.
struct ObjectList {
  std::string resource_version;
  std::string continue_token;
  std::vector<std::shared_ptr<const Object>> objects;
};

}  // namespace plimsoll::api
