#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "api/schema/schema.h"

namespace plimsoll::apiserver {

/// The two versions of OpenAPI. They have the same content in different places.
enum class OpenApiFlavor : std::uint8_t { V2, V3 };

/// Upstream's names of schemas that the documents refer to.
inline constexpr std::string_view kQuantityName = "io.k8s.apimachinery.pkg.api.resource.Quantity";
inline constexpr std::string_view kTimeName = "io.k8s.apimachinery.pkg.apis.meta.v1.Time";
inline constexpr std::string_view kMicroTimeName = "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime";
inline constexpr std::string_view kIntOrStringName =
    "io.k8s.apimachinery.pkg.util.intstr.IntOrString";
inline constexpr std::string_view kFieldsV1Name = "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1";
inline constexpr std::string_view kRawExtensionName =
    "io.k8s.apimachinery.pkg.runtime.RawExtension";
inline constexpr std::string_view kPatchName = "io.k8s.apimachinery.pkg.apis.meta.v1.Patch";
inline constexpr std::string_view kStatusName = "io.k8s.apimachinery.pkg.apis.meta.v1.Status";
inline constexpr std::string_view kDeleteOptionsName =
    "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions";
inline constexpr std::string_view kResourceListName =
    "io.k8s.apimachinery.pkg.apis.meta.v1.APIResourceList";

/// Returns `#/components/schemas/<name>`, or `#/definitions/<name>` for V2.
inline std::string SchemaPointer(OpenApiFlavor flavor, std::string_view name) {
  std::string pointer = flavor == OpenApiFlavor::V3 ? "#/components/schemas/" : "#/definitions/";
  return pointer.append(name);
}

}  // namespace plimsoll::apiserver
