#include "cli/demo/narrator.h"

#include <fmt/format.h>

#include <ostream>
#include <sstream>
#include <utility>

#include "cli/output/display_width.h"
#include "cli/output/styled_text.h"
#include "cli/output/table.h"

namespace plimsoll::cli {
namespace {

constexpr Duration kPause = std::chrono::seconds(5);
constexpr std::int64_t kPrintedEvery = 10;
constexpr std::string_view kIndent = "   ";

}  // namespace

Narrator::Narrator(std::ostream& out, NarratorOptions options, Clock& clock,
                   std::shared_ptr<client::StopSignal> stop)
    : out_(out), options_(options), clock_(clock), stop_(std::move(stop)) {}

void Narrator::Step(std::string_view heading) {
  const std::string line = fmt::format("{}. {}", ++step_, heading);
  out_ << '\n' << options_.look.Paint(line, Style::Heading) << '\n' << std::flush;
}

void Narrator::Say(std::string_view text) {
  Write(StyledText(kIndent).AddHanging(text).Add("\n"), options_.look, out_);
  out_ << std::flush;
}

// A command is not folded: a terminal copies the lines that it wraps itself as one line.
void Narrator::Command(std::string_view line) {
  out_ << kIndent << "$ " << line << '\n' << std::flush;
}

void Narrator::Table(const std::vector<std::string>& header,
                     const std::vector<std::vector<std::string>>& rows) {
  std::ostringstream table;
  Look look = options_.look;
  if (look.columns > kIndent.size()) look.columns -= kIndent.size();
  std::vector<std::vector<Cell>> cells;
  for (const std::vector<std::string>& row : rows) cells.emplace_back(row.begin(), row.end());
  PrintTable(header, cells, look, table);
  std::istringstream lines(table.str());
  for (std::string line; std::getline(lines, line);) out_ << kIndent << line << '\n';
  out_ << std::flush;
}

void Narrator::Countdown(std::int64_t count, std::string_view text) {
  if (count == shown_) return;
  const bool is_due = shown_ < 0 || count % kPrintedEvery == 0;
  if (options_.look.is_terminal) {
    // The erasure of a folded line would leave its first part.
    const std::size_t columns = options_.look.columns;
    const std::size_t room = columns > kIndent.size() + 2 ? columns - kIndent.size() - 1 : 0;
    const std::string_view shown = room == 0 ? text : FoldLine(text, room, room).front();
    out_ << kEraseLine << kIndent << shown << std::flush;
  } else if (is_due) {
    Say(text);
  }
  shown_ = count;
}

void Narrator::EndCountdown() {
  if (options_.look.is_terminal && shown_ >= 0) out_ << kEraseLine << std::flush;
  shown_ = -1;
}

void Narrator::Pause() {
  if (options_.has_pauses) stop_->WaitUntil(clock_, clock_.Now() + kPause);
}

}  // namespace plimsoll::cli
