#pragma once

#include "api/feature_gates.h"
#include "api/schema/schema.h"
#include "codec/document.h"

namespace plimsoll::api {

/// Takes out of a tree what belongs to a feature that is off, as a server does before it validates:
/// with DRADeviceTaints off the taints of devices and the tolerations of requests, and likewise for
/// the gates DRAConsumableCapacity, DRADeviceBindingConditions and DRAPartitionableDevices. Fields
/// of features that are not here at all are always taken out. `before` is the object as it is
/// stored, null on create: a feature that it uses already may stay. The features of tolerations and
/// node affinity are not dropped but refused, see validation.
///
/// The gate DRADeviceTaintRules changes nothing here: rules are served and stored all the same, and
/// only their effect is missing.
void DropDisabledFields(codec::Document& document, codec::Value& tree, const KindDesc& kind,
                        const FeatureGates& gates, const codec::Value* before = nullptr);

}  // namespace plimsoll::api
