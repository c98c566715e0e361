#include "cli/output/table.h"

#include <algorithm>
#include <ostream>

#include "base/assert.h"
#include "base/text/utf8.h"

namespace plimsoll::cli {
namespace {

constexpr std::size_t kGap = 3;

/// Counts characters, not bytes, so that names outside ASCII do not shift columns.
std::size_t Width(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return !IsUtf8Tail(c); }));
}

void PrintRow(const std::vector<std::string>& row, const std::vector<std::size_t>& widths,
              std::ostream& out) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    out << row[i];
    if (i + 1 < row.size()) out << std::string(widths[i] + kGap - Width(row[i]), ' ');
  }
  out << '\n';
}

}  // namespace

void PrintTable(const std::vector<std::string>& header,
                const std::vector<std::vector<std::string>>& rows, std::ostream& out) {
  std::vector<std::size_t> widths;
  for (const std::string& cell : header) widths.push_back(Width(cell));
  for (const auto& row : rows) {
    PL_ASSERT(row.size() == header.size());
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], Width(row[i]));
  }
  PrintRow(header, widths, out);
  for (const auto& row : rows) PrintRow(row, widths, out);
}

}  // namespace plimsoll::cli
