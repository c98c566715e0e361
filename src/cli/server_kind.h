#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/feature_gates.h"
#include "base/log.h"
#include "cli/signals.h"
#include "client/client.h"
#include "client/informer.h"

namespace plimsoll::cli {

/// Whose server a part of the control plane serves. One of our own has all fields that there are
/// here, and nobody else does the part's work; any other may drop fields, and has parts of its own.
enum class ServerKind : std::uint8_t { Own, Stock };

/// As `--server` says it: plimsoll, kubernetes, or auto, when the server is asked.
inline constexpr std::string_view kServerAuto = "auto";

/// `v1.37.0+plimsoll` is ours.
ServerKind KindOfVersion(std::string_view git_version);

/// Asks the server as often as it takes to get an answer; one that does not say counts as Stock.
/// Nothing: a signal came first.
std::optional<ServerKind> AwaitServerKind(std::string_view flag, const client::Client& client,
                                          EndSignals& signals, Logger& log);

/// How objects of such a server are read: those of a Stock one with their annotations, which are
/// checked by the gates. Empty: as they are.
client::Transform ReadingOf(ServerKind kind, const api::FeatureGates& gates);

}  // namespace plimsoll::cli
