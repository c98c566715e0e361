#include "apiserver/encryption/config_reload.h"

#include <chrono>
#include <string_view>
#include <utility>

namespace plimsoll::apiserver {

Reloadable EncryptionConfigReload(std::string path, EncryptedStore& store, const Clock& clock,
                                  MetricsRegistry& metrics) {
  const MetricFamily<Counter> reloads = metrics.AddCounters(
      {.name = "apiserver_encryption_config_controller_automatic_reloads_total",
       .help = "Total number of reload successes and failures of encryption configuration split "
               "by apiserver identity.",
       .labels = {"status"}});
  const MetricFamily<Gauge> last = metrics.AddGauges(
      {.name = "apiserver_encryption_config_controller_automatic_reload_last_timestamp_seconds",
       .help = "Timestamp of the last successful or failed automatic reload of encryption "
               "configuration split by apiserver identity.",
       .labels = {"status"}});
  auto reload = [=, &store, &clock]() -> Status {
    const Result<EncryptionConfig> config = EncryptionConfig::Load(path);
    const std::string_view status = config.has_value() ? "success" : "failure";
    reloads.With({status}).Add();
    last.With({status}).Set(std::chrono::duration<double>(clock.Now().time_since_epoch()).count());
    if (!config) return std::unexpected(config.error());
    store.Use(*config);
    return {};
  };
  return {.name = "encryption configuration", .files = {path}, .period = {}, .reload = reload};
}

}  // namespace plimsoll::apiserver
