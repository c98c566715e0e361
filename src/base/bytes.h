#pragma once

#include <memory>
#include <string>

namespace plimsoll {

/// A text that many hold and nobody changes: an object as it is stored, and as it is sent. Null
/// means that there is none.
using Bytes = std::shared_ptr<const std::string>;

inline Bytes MakeBytes(std::string text) {
  return std::make_shared<const std::string>(std::move(text));
}

}  // namespace plimsoll
