#pragma once

#include "api/feature_gates.h"
#include "api/schema/schema.h"
#include "codec/document.h"

namespace plimsoll::api {

/// Removes fields of disabled features from a tree, as a server does before validation. With
/// DRADeviceTaints off, it removes device taints and the tolerations of requests. The gates
/// DRAConsumableCapacity, DRADeviceBindingConditions and DRAPartitionableDevices work alike.
/// Fields of unimplemented features are always removed. `before` is the stored object, null
/// on create; fields of a feature that it uses already are kept. Toleration and node affinity
/// features are rejected by validation instead.
///
/// The gate DRADeviceTaintRules removes no fields: rules are served and stored even when it
/// is off, but have no effect.
void DropDisabledFields(codec::Document& document, codec::Value& tree, const KindDesc& kind,
                        const FeatureGates& gates, const codec::Value* before = nullptr);

}  // namespace plimsoll::api
