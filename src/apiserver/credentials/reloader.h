#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/log.h"
#include "base/result.h"
#include "base/worker_pool.h"

namespace plimsoll::apiserver {

/// Something that is read from files while the server runs.
struct Reloadable {
  std::string name;                // for the log
  std::vector<std::string> files;  // a change of one makes it reload; empty names are left out
  Duration period{};               // it also reloads this often; zero: never without a change
  /// Reads it anew. An error is logged, and whatever was read before stays in use.
  std::function<Status()> reload;
};

/// Reloads what has changed: certificates, keys, configuration. Looks at the files now and then, on
/// a thread of `workers`.
class Reloader {
 public:
  /// All must outlive it, and the clock must go on by itself.
  Reloader(std::vector<Reloadable> all, Clock& clock, WorkerPool& workers, Logger& log,
           Duration check_period = std::chrono::seconds(1));
  /// Waits for a reload that is under way.
  ~Reloader();
  Reloader(const Reloader&) = delete;
  Reloader& operator=(const Reloader&) = delete;

  /// Begins to look, once in a check period.
  void Start();
  /// Reloads what has changed, on this thread.
  void Check();
  /// Reloads everything, on this thread: SIGHUP.
  void ReloadAll();

 private:
  class State;
  std::shared_ptr<State> state_;
};

}  // namespace plimsoll::apiserver
