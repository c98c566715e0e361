#include "cli/output/table.h"

#include <algorithm>
#include <ostream>

#include "base/assert.h"
#include "cli/output/display_width.h"
#include "cli/output/styled_text.h"

namespace plimsoll::cli {
namespace {

constexpr std::size_t kGap = 3;
/// Minimum width of a last column that is folded by itself.
constexpr std::size_t kLastColumnMin = 20;

using Row = std::vector<Cell>;

std::vector<std::size_t> WidthsOf(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], DisplayWidth(row[i].text));
    }
  }
  return widths;
}

StyledText TextOf(const Row& row, const std::vector<std::size_t>& widths) {
  StyledText text;
  for (std::size_t i = 0; i < row.size(); ++i) {
    text.Add(row[i].text, row[i].style);
    if (i + 1 < row.size()) {
      text.Add(std::string(widths[i] + kGap - DisplayWidth(row[i].text), ' '));
    }
  }
  return text;
}

void PrintRow(const Row& row, const std::vector<std::size_t>& widths, std::size_t before_last,
              const Look& look, std::ostream& out) {
  const bool folds_last = look.columns >= before_last + kLastColumnMin;
  if (!folds_last) {
    Write(TextOf(row, widths), look, out);
    out << '\n';
    return;
  }
  const std::size_t room = look.columns - before_last;
  const auto parts = FoldLine(row.back().text, room, room);
  Row line = row;
  for (const std::string_view& part : parts) {
    line.back().text = part;
    Write(TextOf(line, widths), Look{.has_colour = look.has_colour}, out);
    out << '\n';
    for (Cell& cell : line) cell.text.clear();
  }
}

}  // namespace

void PrintTable(const std::vector<std::string>& header, const std::vector<std::vector<Cell>>& rows,
                const Look& look, std::ostream& out) {
  std::vector<Row> all(1);
  for (const std::string& title : header) all.front().emplace_back(title, Style::Heading);
  for (const Row& row : rows) {
    PL_ASSERT(row.size() == header.size());
    all.push_back(row);
  }
  for (Row& row : all) {
    for (Cell& cell : row) cell.text = Printable(cell.text);
  }
  const std::vector<std::size_t> widths = WidthsOf(all);
  std::size_t before_last = 0;
  for (std::size_t i = 0; i + 1 < widths.size(); ++i) before_last += widths[i] + kGap;
  for (const Row& row : all) PrintRow(row, widths, before_last, look, out);
}

}  // namespace plimsoll::cli
