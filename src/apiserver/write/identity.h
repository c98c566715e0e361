#pragma once

#include <mutex>
#include <string>
#include <string_view>

#include "base/random.h"

namespace plimsoll::apiserver {

/// Makes what no two objects may share. Safe for use by many threads.
class Identity {
 public:
  explicit Identity(std::uint64_t seed) : random_(seed) {}

  /// A random UUID, version 4.
  std::string NewUid();
  /// `web-` becomes `web-x7k2p`. Of a long base the end is cut off, so that the name fits a label.
  std::string NewName(std::string_view base);

 private:
  std::mutex mutex_;
  Random random_;
};

}  // namespace plimsoll::apiserver
