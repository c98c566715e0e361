#pragma once

#include <span>

#include "api/schema/schema.h"
#include "api/status/status.h"

namespace plimsoll::apiserver {

/// Returns the kinds of metrics.k8s.io/v1beta1, which `kubectl top` reads. Discovery lists them, so
/// that kubectl asks for them and shows the response. They are in no store and no schema.
std::span<const api::KindDesc> MetricsKinds();

/// Returns true if the kind is one of MetricsKinds.
bool IsMetrics(const api::KindDesc& kind);

/// Returns the response to each request for them: 501 with the reason, as simulated containers use
/// neither processor nor memory.
api::StatusObject NoMetrics();

}  // namespace plimsoll::apiserver
