#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "apiserver/request/request_info.h"

namespace plimsoll::apiserver {

class WatchRegistration;

/// Counts the open watches by resource, namespace and name. Selectors are ignored, as upstream
/// ignores them: the server must evaluate a selector to know that it does not match. Safe for use
/// by many threads.
class WatchTracker : public std::enable_shared_from_this<WatchTracker> {
 public:
  WatchRegistration Register(const RequestInfo& watch);
  /// Returns the number of watches that may get an event of the write.
  std::size_t CountInterested(const RequestInfo& write) const;

 private:
  friend class WatchRegistration;
  std::size_t CountAt(const std::string& key) const;

  mutable std::mutex mutex_;
  std::map<std::string, std::size_t> counts_;  // without zeros
};

/// Counts a watch as open until it is destroyed. Keeps the tracker alive. Movable, not copyable.
class WatchRegistration {
 public:
  WatchRegistration(WatchRegistration&&) noexcept = default;
  WatchRegistration& operator=(WatchRegistration&&) = delete;
  ~WatchRegistration();

 private:
  friend class WatchTracker;
  WatchRegistration(std::shared_ptr<WatchTracker> tracker, std::string key);

  std::shared_ptr<WatchTracker> tracker_;  // null: moved from
  std::string key_;
};

}  // namespace plimsoll::apiserver
