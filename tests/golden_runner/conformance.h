#pragma once

#include <filesystem>

namespace plimsoll::golden {

/// Runs the files of CEL's conformance suite in `directory`. Prints the numbers of passed and
/// skipped cases per file, with reasons. Returns false if a case failed. If the directory does not
/// exist, prints one line.
bool RunConformance(const std::filesystem::path& directory);

}  // namespace plimsoll::golden
