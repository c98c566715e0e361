#pragma once

#include <filesystem>

namespace plimsoll::golden {

/// Runs the files of CEL's own conformance suite in `directory` and prints for each how many cases
/// passed, and how many were not run and why. False when a case failed. A directory that does not
/// exist is said so in one line.
bool RunConformance(const std::filesystem::path& directory);

}  // namespace plimsoll::golden
