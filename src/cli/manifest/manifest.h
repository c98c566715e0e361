#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "api/feature_gates.h"
#include "api/object.h"
#include "cli/manifest/manifest_text.h"

namespace plimsoll::cli {

/// One object of a source, or the reason why it was not decoded.
struct Manifest {
  std::string file;
  std::uint32_t line = 0;                     // first line of the object, or the line of the error
  std::shared_ptr<const api::Object> object;  // null if it was not decoded
  std::string error;                          // set if `object` is null; worded like the API server
  std::vector<api::StrictFinding> warnings;
};

struct ManifestOptions {
  api::FieldValidation field_validation = api::FieldValidation::Warn;
  /// Namespace for objects without one, as on create. Empty: leave the objects unchanged.
  std::string create_in;
  api::FeatureGates gates = {};  // on create, fields of disabled features are dropped
};

inline constexpr codec::ParseLimits kManifestLimits{
    .bytes_max = kManifestBytesMax, .depth_max = 200, .values_max = 1u << 26};

/// Decodes every object of a source: each document of a YAML stream, each item of a List. An object
/// that does not decode does not affect the others.
std::vector<Manifest> DecodeManifests(const ManifestText& source, const ManifestOptions& options);

}  // namespace plimsoll::cli
