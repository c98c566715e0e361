#pragma once

#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "cli/output/style.h"
#include "client/stop_signal.h"

namespace plimsoll::cli {

/// Settings of the narration.
struct NarratorOptions {
  Look look = {};  // on a terminal a line may be written over
  bool has_pauses = true;
};

/// Prints a story step by step: a heading, the kubectl command that does the same, and its output.
class Narrator {
 public:
  /// The references must outlive it. `stop` ends pauses.
  Narrator(std::ostream& out, NarratorOptions options, Clock& clock,
           std::shared_ptr<client::StopSignal> stop);

  /// Begins the next step.
  void Step(std::string_view heading);
  void Say(std::string_view text);
  void Command(std::string_view line);
  void Table(const std::vector<std::string>& header,
             const std::vector<std::vector<std::string>>& rows);
  /// Shows a line that changes. On a terminal it replaces the one before. Elsewhere only every
  /// tenth `count` and the first one are printed.
  void Countdown(std::int64_t count, std::string_view text);
  /// Ends the countdown, so that other lines may follow.
  void EndCountdown();
  /// Gives time to read.
  void Pause();

 private:
  std::ostream& out_;
  const NarratorOptions options_;
  Clock& clock_;
  const std::shared_ptr<client::StopSignal> stop_;
  int step_ = 0;
  std::int64_t shown_ = -1;  // count that was printed last; -1: none
};

}  // namespace plimsoll::cli
