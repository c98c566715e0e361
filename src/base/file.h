#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace plimsoll {

/// Reads a whole file. NotFound, or InternalError with the path and the system's error text.
Result<std::string> ReadFile(const std::string& path);

/// Replaces the file atomically: readers see the old text or the new one, also after a crash.
/// Creates missing parent directories, accessible to the owner only.
Status WriteFile(const std::string& path, std::string_view text, std::uint32_t mode = 0600);

/// Creates the directory and missing parents, accessible to the owner only. Existing ones are kept.
Status MakeDirectory(const std::string& path);

}  // namespace plimsoll
