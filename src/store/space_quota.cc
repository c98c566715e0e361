#include "store/space_quota.h"

#include <utility>

namespace plimsoll::store {

SpaceQuota::SpaceQuota(std::uint64_t quota_bytes, std::string directory, Logger& logger,
                       MetricsRegistry* metrics)
    : quota_bytes_(quota_bytes), directory_(std::move(directory)), logger_(logger) {
  if (metrics == nullptr) return;
  gauges_.emplace(Gauges{
      metrics->AddGauge({.name = "plimsoll_store_size_bytes",
                         .help = "Size of the store's database in bytes, on disk and in the "
                                 "buffers that are written next."}),
      metrics->AddGauge({.name = "plimsoll_store_quota_exceeded",
                         .help = "1 while the store is larger than --quota-backend-bytes and "
                                 "refuses writes other than deletions."})});
  metrics
      ->AddGauge({.name = "plimsoll_store_quota_bytes",
                  .help = "Size in bytes from which on the store refuses writes; 0 for none."})
      .Set(static_cast<double>(quota_bytes));
}

void SpaceQuota::Measured(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  bytes_ = bytes;
  UpdateState();
}

void SpaceQuota::Wrote(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  bytes_ += bytes;
  if (quota_bytes_ != 0 && !is_exceeded_) UpdateState();
}

void SpaceQuota::UpdateState() {
  if (gauges_.has_value()) gauges_->size.Set(static_cast<double>(bytes_));
  const bool is_exceeded = quota_bytes_ != 0 && bytes_ > quota_bytes_;
  if (is_exceeded_.exchange(is_exceeded) == is_exceeded) return;
  if (gauges_.has_value()) gauges_->exceeded.Set(is_exceeded ? 1 : 0);
  if (is_exceeded) {
    PL_LOG(logger_, Error(),
           "The store is over its quota and accepts deletions only. Delete "
           "objects, or raise --quota-backend-bytes",
           {"directory", directory_}, {"bytes", bytes_}, {"quotaBytes", quota_bytes_});
  } else {
    PL_LOG(logger_, Info(), "The store is below its quota again", {"directory", directory_},
           {"bytes", bytes_}, {"quotaBytes", quota_bytes_});
  }
}

Status SpaceQuota::Check() const {
  if (is_exceeded_.load(std::memory_order_relaxed)) return Fail(Reason::NoSpace, kSpaceExceeded);
  return {};
}

}  // namespace plimsoll::store
