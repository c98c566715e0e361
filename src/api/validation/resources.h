#pragma once

#include <set>
#include <span>
#include <string_view>

#include "api/core/pod.h"
#include "api/field_error.h"
#include "api/validation/pod_options.h"

namespace plimsoll::api {

/// Names of a pod's claims, without empty ones.
using ClaimNames = std::set<std::string_view>;
ClaimNames NamesOf(std::span<const PodResourceClaim> claims);

/// Validates the resources of a container. Its claims must be among those of the pod.
void ValidateContainerResources(const ResourceRequirements& resources, const ClaimNames& pod_claims,
                                const PodValidationOptions& options, const FieldPath& at,
                                FieldErrors& errors);

/// Validates pod-level resources: at least the sum of the containers' requests.
void ValidatePodResources(const PodSpec& spec, const PodValidationOptions& options,
                          const FieldPath& at, FieldErrors& errors);

/// Validates the overhead of the pod's sandbox.
void ValidateOverhead(const ResourceList& overhead, const PodValidationOptions& options,
                      const FieldPath& at, FieldErrors& errors);

/// Reports a negative amount, or a fraction of a resource with integer amounts.
void ValidateAmount(const ResourceAmount& amount, const FieldPath& at, FieldErrors& errors);

/// Returns the amount with that name, or null.
const ResourceAmount* FindAmount(const ResourceList& list, std::string_view name);

}  // namespace plimsoll::api
