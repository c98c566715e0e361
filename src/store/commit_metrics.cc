#include "store/commit_metrics.h"

#include <chrono>

namespace plimsoll::store {
namespace {

double Seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

/// From 50 µs, a sync of a fast disk, to 13 s, a sync of a failing one.
std::vector<double> DiskBuckets() { return ExponentialBuckets(5e-5, 2, 19); }

}  // namespace

CommitMetrics::CommitMetrics(MetricsRegistry& registry, const Clock& clock)
    : clock_(clock),
      append_seconds_(
          registry.AddHistogram({.name = "plimsoll_store_fsync_duration_seconds",
                                 .help = "Time to write and sync one batch of changes."},
                                DiskBuckets())),
      commit_seconds_(registry.AddHistogram({.name = "plimsoll_store_commit_duration_seconds",
                                             .help = "Time from a write's request to its answer."},
                                            DiskBuckets())),
      changes_(registry.AddCounter({.name = "plimsoll_store_changes_total",
                                    .help = "Changes that the store has committed."})),
      failures_(
          registry.AddCounter({.name = "plimsoll_store_append_failures_total",
                               .help = "Batches of changes that the store could not write."})),
      latest_(registry.AddGauge(
          {.name = "plimsoll_store_revision", .help = "Revision of the latest change."})),
      compacted_(registry.AddGauge({.name = "plimsoll_store_compacted_revision",
                                    .help = "Revision of the latest compaction."})) {}

void CommitMetrics::Appended(Instant begun, std::size_t changes, bool is_good) {
  append_seconds_.Observe(Seconds(clock_.Now() - begun));
  if (is_good) {
    changes_.Add(static_cast<double>(changes));
  } else {
    failures_.Add();
  }
}

void CommitMetrics::Answered(Instant asked) {
  commit_seconds_.Observe(Seconds(clock_.Now() - asked));
}

void CommitMetrics::Published(Revision latest, Revision compacted) {
  latest_.Set(static_cast<double>(Number(latest)));
  compacted_.Set(static_cast<double>(Number(compacted)));
}

}  // namespace plimsoll::store
