#pragma once

#include <memory>
#include <string>

#include "apiserver/encryption/encrypted_store.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/metrics.h"

namespace plimsoll::apiserver {

/// Reads the file of an EncryptionConfiguration again and again, and lets the store use what it
/// says once it has changed. A file that cannot be read, or is wrong, leaves the store as it is;
/// that is logged and counted. The store and the other references must outlive it.
class EncryptionConfigReloader {
 public:
  /// How often it looks, as upstream does.
  static constexpr Duration kInterval = std::chrono::minutes(1);

  /// `text` is what the file held when the store was made.
  EncryptionConfigReloader(std::string path, std::string text, EncryptedStore& store, Clock& clock,
                           Logger& log, MetricsRegistry& metrics);
  /// Waits until no reload is under way.
  ~EncryptionConfigReloader();
  EncryptionConfigReloader(const EncryptionConfigReloader&) = delete;
  EncryptionConfigReloader& operator=(const EncryptionConfigReloader&) = delete;

 private:
  class Shared;
  std::shared_ptr<Shared> shared_;
};

}  // namespace plimsoll::apiserver
