#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

/// Returns the script that a shell sources. It calls the program (`plimsoll __complete …`) for
/// candidates, so it never gets outdated. Returns Invalid for shells other than bash and zsh.
Result<std::string> CompletionScript(std::string_view shell);

/// Returns candidates for the last word: commands, flags, or values of a flag. Returns none where a
/// file name is expected, because shells complete these themselves.
std::vector<std::string> Complete(const CLI::App& app, const std::vector<std::string>& words);

}  // namespace plimsoll::cli
