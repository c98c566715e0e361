#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/async.h"
#include "base/clock.h"
#include "base/file_stamps.h"
#include "base/log.h"
#include "cli/lifecycle/kubeconfig_merge.h"

namespace plimsoll::cli {

/// Keeps merged entries equal to the server's kubeconfig, which changes when its client certificate
/// is renewed. Leaves a file alone from which the user has removed the entries.
class KubeconfigFollower {
 public:
  struct Options {
    std::string from;  // the server's kubeconfig
    std::string into;  // the user's kubeconfig; empty: nothing is followed
    KubeconfigEntries entries;
    std::int64_t time_scale = 1;  // of the clock
  };

  /// The clock and the log must outlive it.
  KubeconfigFollower(Options options, Clock& clock, Logger& log);

  /// Merges if the server's file has changed. After a failure the next check tries again. The clock
  /// calls it every two seconds; calls must not overlap.
  void Check();

 private:
  const Options options_;
  Logger& log_;
  FileStamps stamps_;
  bool is_pending_ = false;  // changed, but not merged yet
  WorkerPool workers_{1};
  std::optional<Periodic> timer_;  // last, so that it ends first
};

}  // namespace plimsoll::cli
