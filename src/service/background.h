#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

/// Starts this program once more in the background, and reports how its start went.
namespace plimsoll::service {

/// How far a start is: `Waiting for nodes`, 7 of 20.
struct StartProgress {
  std::string work;
  std::size_t done = 0;
  std::size_t total = 0;
};

/// Receives progress.
using OnStartProgress = std::function<void(const StartProgress&)>;

/// Report of a background process about its start. The process that started it waits for it.
class StartReport {
 public:
  /// Returns the report that another process waits for, or nullopt if nobody does. Only the first
  /// call may return one.
  static std::optional<StartReport> Take();
  StartReport(StartReport&& other) noexcept;
  StartReport& operator=(StartReport&&) = delete;
  ~StartReport();

  /// Reports how far the start is. May be called often: a report that the other process has no room
  /// for is dropped. REQUIRES: `work` has no newline.
  void Advance(const StartProgress& progress);
  /// Reports that everything runs. The other process prints the text and ends with 0. Returns false
  /// if it has ended already, so that nobody knows of this process.
  bool Succeed(std::string_view text);
  /// Reports why this process is about to end. The other one prints the text.
  void Fail(std::string_view text);

 private:
  explicit StartReport(int socket) : socket_(socket) {}
  bool Send(char kind, std::string_view text);
  bool SendAll(std::string_view rest);

  int socket_;  // -1: the report was sent
};

/// Outcome of a start in the background.
struct StartOutcome {
  std::string text;   // of the report; empty: the process ended without one
  int exit_code = 0;  // 0: it runs; else its exit code, or 128 plus the signal that ended it
  bool is_cancelled = false;  // SIGINT or SIGTERM arrived, and the new process was stopped
};

/// Runs this program with the arguments in a new session, and blocks until it has reported or
/// ended. It inherits the standard input and error, but no output and no other file. SIGINT and
/// SIGTERM stop it. Calls `on_progress`, if set, with each progress that it reports, and again
/// several times per second. REQUIRES: no other thread of this process accepts these signals.
Result<StartOutcome> StartInBackground(const std::vector<std::string>& arguments,
                                       const OnStartProgress& on_progress = {});

/// Detaches from the terminal: from now on, standard input is empty and standard output is
/// discarded. Standard error appends to the file, which is created if necessary.
Status LeaveTerminal(const std::string& log_path);

}  // namespace plimsoll::service
