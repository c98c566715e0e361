#pragma once

#include <string>

#include "apiserver/credentials/reloader.h"
#include "apiserver/encryption/encrypted_store.h"
#include "base/clock.h"
#include "base/metrics.h"

namespace plimsoll::apiserver {

/// Reads the EncryptionConfiguration in the file at `path` and lets the store use it. A file that
/// cannot be read, or is wrong, leaves the store as it is. Successes and failures are counted. The
/// store, the clock and the registry must outlive it.
Reloadable EncryptionConfigReload(std::string path, EncryptedStore& store, const Clock& clock,
                                  MetricsRegistry& metrics);

}  // namespace plimsoll::apiserver
