#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace plimsoll::cli {

/// Prints rows in columns like kubectl: three blanks between columns, no padding of the last one.
/// REQUIRES: every row has as many cells as the header.
void PrintTable(const std::vector<std::string>& header,
                const std::vector<std::vector<std::string>>& rows, std::ostream& out);

}  // namespace plimsoll::cli
