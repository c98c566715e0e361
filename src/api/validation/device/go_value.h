#pragma once

#include <cstdint>
#include <string>

#include "codec/value.h"

/// Formats parts of claims and slices as upstream's messages do. Hand-written rules print internal
/// types: all fields, by Go name. Declarative rules print versioned types: non-empty fields only.
namespace plimsoll::api {

enum class GoType : std::uint8_t {
  DeviceAttribute,
  DeviceRequest,
  DeviceSubRequest,
  CounterSet,
  DeviceCounterConsumption,
  ResourceClaimTemplateSpec,
};

std::string InternalJson(GoType type, const codec::Value& tree);
std::string VersionedJson(GoType type, const codec::Value& tree);

}  // namespace plimsoll::api
