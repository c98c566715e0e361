#pragma once

#include <string>
#include <string_view>

#include "agent/admission.h"
#include "agent/pod_life.h"

/// A pod's status as a strategic merge patch that names the pod's uid.
namespace plimsoll::agent {

struct PodAddresses {
  std::string_view host;
  std::string_view pod;  // empty: none yet
};

std::string StatusPatch(const PodLife& life, const PodAddresses& addresses);

/// Of a pod that the node does not take.
std::string RefusalPatch(const api::Object& pod, const Refusal& refusal, Instant now);

}  // namespace plimsoll::agent
