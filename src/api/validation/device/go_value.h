#pragma once

#include <cstdint>
#include <string>

#include "codec/value.h"

/// Parts of claims and slices as upstream's messages show them. Its code shows internal types, all
/// fields under their Go names; its declared rules show versioned ones, without what is empty.
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
