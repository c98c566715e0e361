#pragma once

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

#include "base/time.h"
#include "cli/context.h"

namespace plimsoll::cli {

/// Receives how much of some work is done, and how much there is; a total of 0 means that it is
/// unknown.
using OnProgress = std::function<void(std::size_t done, std::size_t total)>;

/// Progress line on the standard error of a command, for work that takes longer than a second:
///
///     Copying objects [#########...........] 45% 4500/10000, 900/s, 6s left
///
/// Prints nothing if standard error is no terminal. Without a total the line has no bar and no
/// time. The destructor removes the line. Not safe for use by several threads; the command must
/// not print while the line is there, see Clear.
class Progress {
 public:
  using Now = std::function<Duration()>;  // a monotonic time

  /// `title` names the work and its unit: `Copying objects`.
  Progress(std::string title, Context& context);
  /// Same, with the time that a test chooses.
  Progress(std::string title, Context& context, Now now);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Sets how much is done, and how much there is; a total of 0 means that it is unknown. Draws the
  /// line at most ten times per second, so that it may be called for every object.
  void Set(std::size_t done, std::size_t total);
  /// Sets a text in place of the bar, for work that has no count: `Stopping process 7, 3s of 60s`.
  void Note(std::string_view state);
  /// Removes the line. The next Set draws it again.
  void Clear();

 private:
  /// Returns true if a line is to be drawn now.
  bool IsDue();
  std::string LineFor(std::size_t done, std::size_t total, Duration elapsed) const;
  void Draw(std::string_view line);

  const std::string title_;
  Context& context_;
  const Now now_;
  const Duration begin_;
  Duration drawn_at_{};
  std::size_t width_ = 0;  // of the line that is there; 0: none
};

}  // namespace plimsoll::cli
