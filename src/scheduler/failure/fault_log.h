#pragma once

#include <set>
#include <string>

#include "api/action.h"

namespace plimsoll::scheduler {

/// Logs each fault once, although it makes many attempts fail. When it remembers
/// kLoggedFaultsMax faults, it forgets all of them.
class FaultLog {
 public:
  /// Requests the log line, unless an equal one was logged before.
  void LogOnce(api::WriteLog fault, const api::Turn& turn);

  std::size_t size() const { return logged_.size(); }

 private:
  std::set<std::string> logged_;
};

}  // namespace plimsoll::scheduler
