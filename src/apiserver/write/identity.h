#pragma once

#include <mutex>
#include <string>
#include <string_view>

#include "base/random.h"

namespace plimsoll::apiserver {

/// Generates unique uids and names. Safe for use by many threads.
class Identity {
 public:
  explicit Identity(std::uint64_t seed) : random_(seed) {}

  /// Returns a random UUID, version 4.
  std::string NewUid();
  /// Returns `web-x7k2p` for `web-`. Truncates a long base, so that the name fits a label.
  std::string NewName(std::string_view base);

 private:
  std::mutex mutex_;
  Random random_;
};

}  // namespace plimsoll::apiserver
