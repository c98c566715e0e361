#pragma once

#include <string>
#include <string_view>

#include "agent/admission.h"
#include "agent/pod_life.h"

/// Builds a pod's status as a strategic merge patch that contains the pod's uid.
namespace plimsoll::agent {

struct PodAddresses {
  std::string_view host;
  std::string_view pod;  // empty: none yet
};

std::string StatusPatch(const PodLife& life, const PodAddresses& addresses);

/// Returns the patch for a pod that the node rejects.
std::string RefusalPatch(const api::Object& pod, const Refusal& refusal, Instant now);

}  // namespace plimsoll::agent
