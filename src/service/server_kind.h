#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/feature_gates.h"
#include "base/log.h"
#include "client/client.h"
#include "client/informer.h"
#include "service/signals.h"

namespace plimsoll::service {

/// Type of the API server. Own (plimsoll) has all fields, and no other component does the same
/// work. Stock (any other) may drop fields, and has its own components.
enum class ServerKind : std::uint8_t { Own, Stock };

/// Value of `--server` that detects the type; the others are plimsoll and kubernetes.
inline constexpr std::string_view kServerAuto = "auto";

/// Returns Own for versions like `v1.37.0+plimsoll`.
ServerKind KindOfVersion(std::string_view git_version);

/// Returns the type of the server; retries until it responds. Stock if the response has no version.
/// Returns nullopt if a signal came first.
std::optional<ServerKind> AwaitServerKind(std::string_view flag, const client::Client& client,
                                          ShutdownSignals& signals, Logger& log);

/// Returns the transform for objects of such a server: for Stock it applies and validates
/// plimsoll.io annotations. Empty for Own.
client::Transform AnnotationTransformFor(ServerKind kind, const api::FeatureGates& gates);

}  // namespace plimsoll::service
