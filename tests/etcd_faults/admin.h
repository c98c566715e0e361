#pragma once

#include <string>

namespace plimsoll::etcd_faults {

/// Whether the member leads the others; false, too, when it does not answer.
bool IsLeader(const std::string& endpoint);

/// Raises or ends the alarm that its database is full. False: it did not answer.
bool SetNoSpaceAlarm(const std::string& endpoint, bool is_raised);

}  // namespace plimsoll::etcd_faults
