#include "store/rocks_scrub.h"

#include <rocksdb/convenience.h>
#include <rocksdb/db.h>
#include <rocksdb/metadata.h>
#include <rocksdb/rate_limiter.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <vector>

namespace plimsoll::store {
namespace {

constexpr std::int64_t kBurstBytes = 1 << 20;

}  // namespace

/// Delays reads to keep the rate until Stop, which ends all waiting. RocksDB's own limiter cannot
/// be interrupted.
class RocksScrub::Limiter final : public rocksdb::RateLimiter {
 public:
  explicit Limiter(std::uint64_t bytes_per_second)
      : RateLimiter(Mode::kReadsOnly),
        bytes_per_second_(static_cast<std::int64_t>(bytes_per_second)) {}

  using RateLimiter::Request;
  void Request(const std::int64_t bytes, const rocksdb::Env::IOPriority /*priority*/,
               rocksdb::Statistics* /*statistics*/) override {
    const std::chrono::nanoseconds pause(bytes * 1'000'000'000 / bytes_per_second_);
    std::unique_lock lock(mutex_);
    through_ += bytes;
    ++requests_;
    stop_.wait_for(lock, pause, [this] { return is_stopped_; });
  }
  void SetBytesPerSecond(std::int64_t /*bytes*/) override {}
  std::int64_t GetSingleBurstBytes() const override { return kBurstBytes; }
  std::int64_t GetTotalBytesThrough(rocksdb::Env::IOPriority /*priority*/) const override {
    const std::lock_guard lock(mutex_);
    return through_;
  }
  std::int64_t GetTotalRequests(rocksdb::Env::IOPriority /*priority*/) const override {
    const std::lock_guard lock(mutex_);
    return requests_;
  }
  std::int64_t GetBytesPerSecond() const override { return bytes_per_second_; }

  void Stop() {
    {
      const std::lock_guard lock(mutex_);
      is_stopped_ = true;
    }
    stop_.notify_all();
  }
  bool is_stopped() const {
    const std::lock_guard lock(mutex_);
    return is_stopped_;
  }

 private:
  const std::int64_t bytes_per_second_;
  mutable std::mutex mutex_;
  std::condition_variable stop_;
  std::int64_t through_ = 0;
  std::int64_t requests_ = 0;
  bool is_stopped_ = false;
};

RocksScrub::RocksScrub(const RocksDatabase& database, std::uint64_t bytes_per_second,
                       const Clock& clock, Logger& logger, MetricsRegistry* metrics)
    : database_(database),
      clock_(clock),
      logger_(logger),
      limiter_(std::make_shared<Limiter>(std::max<std::uint64_t>(bytes_per_second, 1))) {
  if (metrics == nullptr) return;
  metrics_.emplace(
      Metrics{metrics->AddCounter({.name = "plimsoll_store_scrub_verified_bytes_total",
                                   .help = "Bytes of table files whose checksums were verified in "
                                           "the background."}),
              metrics->AddCounter({.name = "plimsoll_store_scrub_corruptions_total",
                                   .help = "Table files that a scrub found damaged."}),
              metrics->AddGauge({.name = "plimsoll_store_scrub_last_finished_timestamp_seconds",
                                 .help = "Time at which the last scrub finished, in seconds since "
                                         "1970; 0 for none yet."})});
}

RocksScrub::~RocksScrub() = default;

void RocksScrub::Stop() { limiter_->Stop(); }

ScrubReport RocksScrub::Run() {
  ScrubReport report;
  std::vector<rocksdb::LiveFileMetaData> files;
  database_.db().GetLiveFilesMetaData(&files);
  for (const rocksdb::LiveFileMetaData& file : files) {
    if (limiter_->is_stopped()) return report;
    Verify(file.db_path + file.name, static_cast<std::int64_t>(file.size), report);
  }
  if (metrics_.has_value()) {
    metrics_->finished.Set(std::chrono::duration<double>(clock_.Now().time_since_epoch()).count());
  }
  PL_LOG(logger_, Info(), "Verified the checksums of the store",
         {"directory", database_.directory()}, {"files", report.files}, {"bytes", report.bytes},
         {"corruptions", report.corruptions});
  return report;
}

void RocksScrub::Verify(const std::string& path, std::int64_t bytes, ScrubReport& report) {
  rocksdb::Options options(database_.db().GetOptions());
  options.rate_limiter = limiter_;
  options.paranoid_checks = true;
  rocksdb::ReadOptions reading;
  reading.verify_checksums = true;
  reading.fill_cache = false;
  reading.readahead_size = kBurstBytes;
  reading.rate_limiter_priority = rocksdb::Env::IO_LOW;
  const rocksdb::Status status =
      rocksdb::VerifySstFileChecksum(options, rocksdb::EnvOptions(options), reading, path);
  // A compaction may have deleted the file meanwhile.
  if (!status.ok() && !options.env->FileExists(path).ok()) return;
  ++report.files;
  report.bytes += bytes;
  if (metrics_.has_value()) metrics_->bytes.Add(static_cast<double>(bytes));
  if (status.ok()) return;
  ++report.corruptions;
  if (metrics_.has_value()) metrics_->corruptions.Add();
  PL_LOG(logger_, Error(),
         "A file of the store is damaged. Check the disk, and restore a backup "
         "before the data is needed",
         {"file", path}, {"reason", status.ToString()});
}

}  // namespace plimsoll::store
