#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace plimsoll::cli {

/// Prints rows in columns as kubectl does: three blanks between them, the last one not padded.
/// Every row must have as many cells as the header.
void PrintTable(const std::vector<std::string>& header,
                const std::vector<std::vector<std::string>>& rows, std::ostream& out);

}  // namespace plimsoll::cli
