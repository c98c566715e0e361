#include "cli/demo/narrator.h"

#include <fmt/format.h>

#include <ostream>
#include <sstream>
#include <utility>

#include "cli/output/table.h"

namespace plimsoll::cli {
namespace {

constexpr Duration kPause = std::chrono::seconds(5);
constexpr std::int64_t kPrintedEvery = 10;

}  // namespace

Narrator::Narrator(std::ostream& out, NarratorOptions options, Clock& clock,
                   std::shared_ptr<client::StopSignal> stop)
    : out_(out), options_(options), clock_(clock), stop_(std::move(stop)) {}

void Narrator::Step(std::string_view heading) {
  const std::string line = fmt::format("{}. {}", ++step_, heading);
  out_ << '\n' << options_.look.Paint(line, Style::Heading) << '\n' << std::flush;
}

void Narrator::Say(std::string_view text) { out_ << "   " << text << '\n' << std::flush; }

void Narrator::Command(std::string_view line) { out_ << "   $ " << line << '\n' << std::flush; }

void Narrator::Table(const std::vector<std::string>& header,
                     const std::vector<std::vector<std::string>>& rows) {
  std::ostringstream table;
  std::vector<std::vector<Cell>> cells;
  for (const std::vector<std::string>& row : rows) cells.emplace_back(row.begin(), row.end());
  PrintTable(header, cells, {}, table);
  std::istringstream lines(table.str());
  for (std::string line; std::getline(lines, line);) Say(line);
}

void Narrator::Countdown(std::int64_t count, std::string_view text) {
  if (count == shown_) return;
  const bool is_due = shown_ < 0 || count % kPrintedEvery == 0;
  if (options_.look.is_terminal) {
    out_ << kEraseLine << "   " << text << std::flush;
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
