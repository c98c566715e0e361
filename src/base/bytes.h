#pragma once

#include <memory>
#include <string>

namespace plimsoll {

/// A shared immutable text, such as an object's JSON as it is stored and sent. Null means that
/// there is none.
using Bytes = std::shared_ptr<const std::string>;

inline Bytes MakeBytes(std::string text) {
  return std::make_shared<const std::string>(std::move(text));
}

}  // namespace plimsoll
