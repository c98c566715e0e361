#pragma once

#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include "cli/output/style.h"

namespace plimsoll::cli {

/// A cell of a table. Converts from a text without a style.
struct Cell {
  // NOLINTNEXTLINE(google-explicit-constructor): a row is written as a list of texts
  Cell(std::string its_text, Style its_style = Style::Plain)
      : text(std::move(its_text)), style(its_style) {}
  // NOLINTNEXTLINE(google-explicit-constructor): the same
  Cell(const char* its_text) : text(its_text) {}

  std::string text;
  Style style = Style::Plain;
};

/// Prints rows in columns like kubectl: three blanks between columns, no padding of the last one.
/// On a terminal the last column is folded. If too little room is left for it, the whole row is.
/// Control characters in cells are escaped. REQUIRES: every row has as many cells as the header.
void PrintTable(const std::vector<std::string>& header, const std::vector<std::vector<Cell>>& rows,
                const Look& look, std::ostream& out);

}  // namespace plimsoll::cli
