#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/async.h"
#include "base/clock.h"
#include "base/file_stamps.h"
#include "base/log.h"
#include "base/result.h"

namespace plimsoll::apiserver {

/// Configuration that the server reads from files again while it runs.
struct Reloadable {
  std::string name;                // for the log
  std::vector<std::string> files;  // a change of one triggers a reload; empty names are ignored
  Duration period{};               // also reloads at this interval; zero: only after a change
  /// Reads the files again. An error is logged, and the previous state stays in use.
  std::function<Status()> reload;
};

/// Reloads certificates, keys and configuration when their files change. Checks the files
/// periodically on a thread of `workers`.
class Reloader {
 public:
  /// All references must outlive this object. The clock must run on its own.
  Reloader(std::vector<Reloadable> all, Clock& clock, WorkerPool& workers, Logger& log,
           Duration check_period = std::chrono::seconds(1));

  /// Starts to check the files once per check period.
  void Start();
  /// Reloads entries whose files have changed, on the calling thread.
  void Check();
  /// Reloads everything on the calling thread, as SIGHUP requests.
  void ReloadAll();

 private:
  struct Entry {
    Reloadable what;
    FileStamps stamps;
    Instant reloaded;
  };

  void Check(bool is_forced);

  Clock& clock_;
  WorkerPool& workers_;
  Logger& log_;
  const Duration check_period_;
  std::mutex mutex_;  // of the entries, held during a reload
  std::vector<Entry> entries_;
  std::optional<Periodic>
      timer_;  // last: it stops, and waits for a reload, before the rest is gone
};

}  // namespace plimsoll::apiserver
