#pragma once

#include <set>
#include <span>
#include <string_view>

#include "api/core/pod.h"
#include "api/field_error.h"
#include "api/validation/pod_options.h"

namespace plimsoll::api {

/// The names of a pod's claims, without empty ones.
using ClaimNames = std::set<std::string_view>;
ClaimNames NamesOf(std::span<const PodResourceClaim> claims);

/// What a container asks for. Its claims must be among those of the pod.
void ValidateContainerResources(const ResourceRequirements& resources, const ClaimNames& pod_claims,
                                const PodValidationOptions& options, const FieldPath& at,
                                FieldErrors& errors);

/// What a pod asks for as a whole: at least what its containers ask for together.
void ValidatePodResources(const PodSpec& spec, const PodValidationOptions& options,
                          const FieldPath& at, FieldErrors& errors);

/// What running the pod costs beside its containers.
void ValidateOverhead(const ResourceList& overhead, const PodValidationOptions& options,
                      const FieldPath& at, FieldErrors& errors);

/// Non-negative, and whole where the resource is counted in pieces.
void ValidateAmount(const ResourceAmount& amount, const FieldPath& at, FieldErrors& errors);

/// Where the amount stands, or nothing.
const ResourceAmount* FindAmount(const ResourceList& list, std::string_view name);

}  // namespace plimsoll::api
