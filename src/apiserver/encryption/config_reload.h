#pragma once

#include <string>

#include "apiserver/credentials/reloader.h"
#include "apiserver/encryption/encrypted_store.h"
#include "base/clock.h"
#include "base/metrics.h"

namespace plimsoll::apiserver {

/// Reads the EncryptionConfiguration in the file at `path` and applies it to the store. If the file
/// cannot be read or is not valid, the store keeps its configuration. Counts successes and
/// failures. The store, the clock and the registry must outlive it.
Reloadable EncryptionConfigReload(std::string path, EncryptedStore& store, const Clock& clock,
                                  MetricsRegistry& metrics);

}  // namespace plimsoll::apiserver
