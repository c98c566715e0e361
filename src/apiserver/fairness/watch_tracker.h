#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "apiserver/request/request_info.h"

namespace plimsoll::apiserver {

/// Counts the open watches by resource, namespace and name. Selectors are ignored, as upstream
/// ignores them: the server must evaluate a selector to know that it does not match. Safe for use
/// by many threads.
class WatchTracker : public std::enable_shared_from_this<WatchTracker> {
 public:
  /// Counts the watch for as long as the caller keeps the result, which shares the tracker's
  /// ownership.
  std::shared_ptr<const void> Register(const RequestInfo& watch);
  /// Returns the number of watches that may get an event of the write.
  std::size_t CountInterested(const RequestInfo& write) const;

 private:
  class Registration;
  std::size_t CountAt(const std::string& key) const;

  mutable std::mutex mutex_;
  std::map<std::string, std::size_t> counts_;  // without zeros
};

}  // namespace plimsoll::apiserver
