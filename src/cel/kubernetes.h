#pragma once

#include <cstdint>
#include <memory>

#include "cel/environment.h"

/// The environments of Kubernetes 1.37. They are created at first use and never destroyed.
namespace plimsoll::cel {

/// Environment for tolerations: variable `taint` with the fields `key`, `value` and `effect`.
const std::shared_ptr<const Environment>& TolerationEnvironment();
extern const ObjectType kTaintType;

/// Variant of the device environment: feature gates decide which new expressions are accepted;
/// stored expressions are always accepted.
enum class DeviceMode : std::uint8_t {
  New,                 // new expressions, default gates: only ConsumableCapacity
  NewWithLists,        // same, with DRAListTypeAttributes
  NewWithoutCapacity,  // without both gates
  Stored,              // stored expressions: everything
};
/// Environment for device selectors: the variable `device`.
const std::shared_ptr<const Environment>& DeviceEnvironment(DeviceMode mode);
/// Object type of `device`: `driver`, `attributes`, `capacity` and, except in NewWithoutCapacity,
/// `allowMultipleAllocations`.
const ObjectType& DeviceType(DeviceMode mode);

/// Environment for the expressions of a NodeTaintRule: the variable `node`, a map.
const std::shared_ptr<const Environment>& NodeEnvironment();

/// Environment for the expressions of an AuthenticationConfiguration over the claims of a token:
/// the variable `claims`, a map.
const std::shared_ptr<const Environment>& ClaimsEnvironment();
/// Environment for expressions over the user mapped from the claims: the variable `user`.
const std::shared_ptr<const Environment>& UserInfoEnvironment();
/// Object type of `user`: `extra`, `groups`, `uid` and `username`.
extern const ObjectType kUserInfoType;

}  // namespace plimsoll::cel
