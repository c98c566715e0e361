#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "api/feature_gates.h"
#include "api/object.h"
#include "cli/source.h"

namespace plimsoll::cli {

/// One object of a source, or why there is none.
struct Manifest {
  std::string file;
  std::uint32_t line = 0;                     // where the object begins, or where it is at fault
  std::shared_ptr<const api::Object> object;  // null when it could not be decoded
  std::string error;                          // then why, in the API server's words
  std::vector<api::StrictFinding> warnings;
};

struct ManifestOptions {
  api::FieldValidation field_validation = api::FieldValidation::Warn;
  /// The namespace that objects without one are created in. Empty: take them as they are.
  std::string create_in;
  api::FeatureGates gates = {};  // what is off is taken out of objects that are created
};

/// Files are the user's own, and `kubectl get nodes -o json` of a large cluster is a large text.
inline constexpr codec::ParseLimits kManifestLimits{
    .bytes_max = 1u << 30, .depth_max = 200, .values_max = 1u << 26};

/// Decodes every object of a source: each document of a YAML stream, each item of a List. What
/// cannot be decoded does not hide the rest.
std::vector<Manifest> DecodeManifests(const Source& source, const ManifestOptions& options);

}  // namespace plimsoll::cli
