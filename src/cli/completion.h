#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

/// The command of that name, or null.
const CLI::App* FindCommand(const CLI::App& app, std::string_view name);

/// The script that a shell sources. It asks the program itself (`plimsoll __complete …`) for
/// candidates, so it never falls behind the commands. Invalid: another shell than bash or zsh.
Result<std::string> CompletionScript(std::string_view shell);

/// What may stand in place of the last word: commands, flags, or a flag's values. Empty where a
/// file name belongs, which shells complete best themselves.
std::vector<std::string> Complete(const CLI::App& app, const std::vector<std::string>& words);

}  // namespace plimsoll::cli
