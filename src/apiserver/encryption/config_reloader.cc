#include "apiserver/encryption/config_reloader.h"

#include <chrono>
#include <mutex>
#include <utility>

#include "base/file.h"

namespace plimsoll::apiserver {

/// Shared with the clock's tasks, because those cannot be taken back.
class EncryptionConfigReloader::Shared
    : public std::enable_shared_from_this<EncryptionConfigReloader::Shared> {
 public:
  Shared(std::string path, std::string text, EncryptedStore& store, Clock& clock, Logger& log,
         MetricsRegistry& metrics)
      : path_(std::move(path)),
        store_(store),
        clock_(clock),
        log_(log),
        reloads_(metrics.AddCounters(
            {.name = "apiserver_encryption_config_controller_automatic_reloads_total",
             .help = "Total number of reload successes and failures of encryption configuration "
                     "split by apiserver identity.",
             .labels = {"status"}})),
        last_(metrics.AddGauges(
            {.name = "apiserver_encryption_config_controller_automatic_reload_last_timestamp_"
                     "seconds",
             .help = "Timestamp of the last successful or failed automatic reload of encryption "
                     "configuration split by apiserver identity.",
             .labels = {"status"}})),
        text_(std::move(text)) {}

  void Arm() {
    clock_.At(clock_.Now() + kInterval, [self = shared_from_this()] { self->Fire(); });
  }
  void Stop() {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
  }

 private:
  void Fire() {
    const std::lock_guard lock(mutex_);
    if (is_stopped_) return;
    Look();
    Arm();
  }

  void Look() {
    Result<std::string> text = ReadFile(path_);
    if (text.has_value() && *text == text_) return;
    const Result<EncryptionConfig> config = EncryptionConfig::Load(path_);
    Count(config.has_value());
    if (!config.has_value()) {
      PL_LOG(log_, Error(config.error()),
             "Could not reload the encryption configuration; the old one stays in use");
      return;
    }
    text_ = text.value_or(std::string());
    store_.Use(*config);
    PL_LOG(log_, Info(), "Reloaded the encryption configuration", {"file", path_});
  }

  void Count(bool is_good) {
    const std::string_view status = is_good ? "success" : "failure";
    reloads_.With({status}).Add();
    last_.With({status}).Set(
        std::chrono::duration<double>(clock_.Now().time_since_epoch()).count());
  }

  const std::string path_;
  EncryptedStore& store_;
  Clock& clock_;
  Logger& log_;
  const MetricFamily<Counter> reloads_;
  const MetricFamily<Gauge> last_;
  std::mutex mutex_;
  bool is_stopped_ = false;
  std::string text_;
};

EncryptionConfigReloader::EncryptionConfigReloader(std::string path, std::string text,
                                                   EncryptedStore& store, Clock& clock, Logger& log,
                                                   MetricsRegistry& metrics)
    : shared_(
          std::make_shared<Shared>(std::move(path), std::move(text), store, clock, log, metrics)) {
  shared_->Arm();
}

EncryptionConfigReloader::~EncryptionConfigReloader() { shared_->Stop(); }

}  // namespace plimsoll::apiserver
