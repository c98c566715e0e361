#include "cli/output/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ostream>
#include <utility>

#include "base/real_clock.h"
#include "cli/output/display_width.h"

namespace plimsoll::cli {
namespace {

constexpr Duration kShownAfter = std::chrono::seconds(1);
constexpr Duration kPeriod = std::chrono::milliseconds(100);
constexpr std::size_t kBarWidth = 20;
/// Width that every terminal has, if it does not tell its own.
constexpr std::size_t kColumns = 80;

std::string BarOf(std::size_t done, std::size_t total) {
  const std::size_t filled = kBarWidth * std::min(done, total) / total;
  return "[" + std::string(filled, '#') + std::string(kBarWidth - filled, '.') + "]";
}

}  // namespace

Progress::Progress(std::string title, Context& context)
    : Progress(std::move(title), context, SteadyTime) {}

Progress::Progress(std::string title, Context& context, Now now)
    : title_(std::move(title)), context_(context), now_(std::move(now)), begin_(now_()) {}

Progress::~Progress() { Clear(); }

bool Progress::IsDue() {
  if (!context_.err_look.is_terminal) return false;
  const Duration now = now_();
  if (now - begin_ < kShownAfter || (width_ > 0 && now - drawn_at_ < kPeriod)) return false;
  drawn_at_ = now;
  return true;
}

void Progress::Set(std::size_t done, std::size_t total) {
  if (IsDue()) Draw(LineFor(done, total, drawn_at_ - begin_));
}

void Progress::Note(std::string_view state) {
  if (IsDue()) Draw(fmt::format("{}, {}", title_, state));
}

void Progress::Clear() {
  if (width_ == 0) return;
  context_.err << '\r' << std::string(width_, ' ') << '\r' << std::flush;
  width_ = 0;
}

std::string Progress::LineFor(std::size_t done, std::size_t total, Duration elapsed) const {
  const double seconds = std::chrono::duration<double>(elapsed).count();
  const double rate = static_cast<double>(done) / seconds;
  const std::string speed = fmt::format("{:.{}f}/s", rate, rate < 10 ? 1 : 0);
  if (total == 0) return fmt::format("{} {}, {}", title_, done, speed);
  std::string line = fmt::format("{} {} {}% {}/{}, {}", title_, BarOf(done, total),
                                 100 * std::min(done, total) / total, done, total, speed);
  if (done > 0 && done < total) {
    const double left = static_cast<double>(total - done) / rate;
    const auto whole = std::chrono::seconds(static_cast<std::int64_t>(std::min(left + 0.5, 1e9)));
    line += fmt::format(", {} left", FormatDuration(whole));
  }
  return line;
}

void Progress::Draw(std::string_view line) {
  const std::size_t columns = context_.err_look.columns == 0 ? kColumns : context_.err_look.columns;
  // A full line would wrap on some terminals.
  const std::string text(FoldLine(line, columns - 1, columns - 1).front());
  const std::size_t width = DisplayWidth(text);
  const std::size_t rest = width_ > width ? width_ - width : 0;
  context_.err << '\r' << text << std::string(rest, ' ') << std::flush;
  width_ = std::max(width, width_);
}

}  // namespace plimsoll::cli
