#include "scheduler/failure/fault_log.h"

#include <string_view>
#include <utility>

#include "scheduler/limits.h"

namespace plimsoll::scheduler {

void FaultLog::LogOnce(api::WriteLog fault, const api::Turn& turn) {
  constexpr std::string_view kSeparator("\0", 1);  // never part of the texts
  std::string key = fault.message;
  for (const auto& [name, text] : fault.fields) key.append(kSeparator).append(text);
  if (logged_.size() >= kLoggedFaultsMax) logged_.clear();
  if (logged_.insert(std::move(key)).second) turn.Do(std::move(fault));
}

}  // namespace plimsoll::scheduler
