#pragma once

#include <string>

namespace plimsoll::etcd_faults {

/// Returns true if the member is the leader; false also if it does not answer.
bool IsLeader(const std::string& endpoint);

/// Raises or clears the NOSPACE alarm. Returns false if the member does not answer.
bool SetNoSpaceAlarm(const std::string& endpoint, bool is_raised);

}  // namespace plimsoll::etcd_faults
