#pragma once

#include <cstdint>
#include <memory>

#include "cel/environment.h"

/// The environments of Kubernetes 1.37. They are made at first use and live for ever.
namespace plimsoll::cel {

/// Expressions of tolerations: the variable `taint` with the fields `key`, `value` and `effect`.
const std::shared_ptr<const Environment>& TolerationEnvironment();
extern const ObjectType kTaintType;

/// Which expressions about devices are accepted depends on feature gates and, for those that are
/// stored already, on nothing.
enum class DeviceMode : std::uint8_t {
  New,                 // new expressions with the default gates: ConsumableCapacity alone
  NewWithLists,        // and DRAListTypeAttributes
  NewWithoutCapacity,  // neither
  Stored,              // everything
};
/// Selectors of devices: the variable `device`.
const std::shared_ptr<const Environment>& DeviceEnvironment(DeviceMode mode);
/// The object type of `device` in that mode: `driver`, `attributes`, `capacity` and, except without
/// ConsumableCapacity, `allowMultipleAllocations`.
const ObjectType& DeviceType(DeviceMode mode);

/// Expressions of an AuthenticationConfiguration over the claims of a token: the variable `claims`,
/// a map.
const std::shared_ptr<const Environment>& ClaimsEnvironment();
/// Those over the user that the claims were mapped to: the variable `user`.
const std::shared_ptr<const Environment>& UserInfoEnvironment();
/// The object type of `user`: `extra`, `groups`, `uid` and `username`.
extern const ObjectType kUserInfoType;

}  // namespace plimsoll::cel
