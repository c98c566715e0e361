#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace plimsoll {

/// NotFound, or InternalError with the path and the system's words.
Result<std::string> ReadFile(const std::string& path);

/// Replaces the file as a whole: whoever reads it, also after a crash, sees the old text or the new
/// one. Directories above it are made, for the owner alone.
Status WriteFile(const std::string& path, std::string_view text, std::uint32_t mode = 0600);

/// Makes the directory and those above it, for the owner alone, unless they are there.
Status MakeDirectory(const std::string& path);

}  // namespace plimsoll
