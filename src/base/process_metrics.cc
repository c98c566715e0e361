#include "base/process_metrics.h"

#include <dirent.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "base/file.h"
#include "base/metrics.h"
#include "base/process_stat.h"

namespace plimsoll {
namespace {

std::optional<double> SecondsOf(clockid_t clock) {
  std::timespec time{};
  if (clock_gettime(clock, &time) != 0) return std::nullopt;
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

std::optional<ProcessStat> ReadStat() {
  const Result<std::string> text = ReadFile("/proc/self/stat");
  return text ? ParseProcessStat(*text) : std::nullopt;
}

std::optional<NetworkOctets> ReadOctets() {
  const Result<std::string> text = ReadFile("/proc/self/net/netstat");
  return text ? ParseNetworkOctets(*text) : std::nullopt;
}

/// Returns the seconds between the Unix epoch and the start of the process.
std::optional<double> ReadStart() {
  const std::optional<ProcessStat> stat = ReadStat();
  const std::optional<double> now = SecondsOf(CLOCK_REALTIME);
  const std::optional<double> since_boot = SecondsOf(CLOCK_BOOTTIME);
  const long ticks_per_second = sysconf(_SC_CLK_TCK);
  if (!stat || !now || !since_boot || ticks_per_second <= 0) return std::nullopt;
  return *now - *since_boot +
         static_cast<double>(stat->start_ticks) / static_cast<double>(ticks_per_second);
}

std::optional<double> CountOpenFiles() {
  constexpr const char* kDirectory = "/proc/self/fd";
  // Since Linux 6.2 the size is the number. Listing many connections would take long.
  struct stat status{};
  if (stat(kDirectory, &status) == 0 && status.st_size > 0) {
    return static_cast<double>(status.st_size);
  }
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(opendir(kDirectory), closedir);
  if (directory == nullptr) return std::nullopt;
  int count = -1;  // without the descriptor of the directory itself
  while (const dirent* const entry = readdir(directory.get())) {
    if (entry->d_name[0] != '.') ++count;
  }
  return count;
}

std::optional<double> SoftLimit(__rlimit_resource_t resource) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0) return std::nullopt;
  return static_cast<double>(limit.rlim_cur);
}

/// A metric without labels that is shown as soon as it has a value.
template <class Metric>
class Shown {
 public:
  explicit Shown(const MetricFamily<Metric>& family) : family_(family) {}

  void Set(std::optional<double> value) const {
    if (!value) return;
    Metric metric = family_.With({});
    if constexpr (std::is_same_v<Metric, Counter>) {
      metric.Add(std::max(0.0, *value - metric.value()));
    } else {
      metric.Set(*value);
    }
  }

 private:
  MetricFamily<Metric> family_;
};

class ProcessMetrics final : public MetricsSource {
 public:
  explicit ProcessMetrics(MetricsRegistry& registry)
      : cpu_seconds_(AddCounter(registry, "process_cpu_seconds_total",
                                "Total user and system CPU time spent in seconds.")),
        received_(AddCounter(registry, "process_network_receive_bytes_total",
                             "Number of bytes received by the process over the network.")),
        sent_(AddCounter(registry, "process_network_transmit_bytes_total",
                         "Number of bytes sent by the process over the network.")),
        open_files_(AddGauge(registry, "process_open_fds", "Number of open file descriptors.")),
        open_files_max_(
            AddGauge(registry, "process_max_fds", "Maximum number of open file descriptors.")),
        virtual_bytes_(
            AddGauge(registry, "process_virtual_memory_bytes", "Virtual memory size in bytes.")),
        virtual_bytes_max_(AddGauge(registry, "process_virtual_memory_max_bytes",
                                    "Maximum amount of virtual memory available in bytes.")),
        resident_bytes_(
            AddGauge(registry, "process_resident_memory_bytes", "Resident memory size in bytes.")) {
    AddGauge(registry, "process_start_time_seconds",
             "Start time of the process since unix epoch in seconds.")
        .Set(ReadStart());
  }

  void Refresh() override {
    cpu_seconds_.Set(SecondsOf(CLOCK_PROCESS_CPUTIME_ID));
    open_files_.Set(CountOpenFiles());
    open_files_max_.Set(SoftLimit(RLIMIT_NOFILE));
    virtual_bytes_max_.Set(SoftLimit(RLIMIT_AS));
    if (const std::optional<ProcessStat> stat = ReadStat()) {
      virtual_bytes_.Set(static_cast<double>(stat->virtual_bytes));
      resident_bytes_.Set(static_cast<double>(stat->resident_pages) *
                          static_cast<double>(sysconf(_SC_PAGESIZE)));
    }
    if (const std::optional<NetworkOctets> octets = ReadOctets()) {
      received_.Set(static_cast<double>(octets->in));
      sent_.Set(static_cast<double>(octets->out));
    }
  }

 private:
  static Shown<Counter> AddCounter(MetricsRegistry& registry, std::string name, std::string help) {
    return Shown(registry.AddCounters({std::move(name), std::move(help), {}, Stability::Unmarked}));
  }
  static Shown<Gauge> AddGauge(MetricsRegistry& registry, std::string name, std::string help) {
    return Shown(registry.AddGauges({std::move(name), std::move(help), {}, Stability::Unmarked}));
  }

  Shown<Counter> cpu_seconds_;
  Shown<Counter> received_;
  Shown<Counter> sent_;
  Shown<Gauge> open_files_;
  Shown<Gauge> open_files_max_;
  Shown<Gauge> virtual_bytes_;
  Shown<Gauge> virtual_bytes_max_;
  Shown<Gauge> resident_bytes_;
};

}  // namespace

void AddProcessMetrics(MetricsRegistry& registry) {
  registry.AddSource(std::make_unique<ProcessMetrics>(registry));
}

}  // namespace plimsoll
