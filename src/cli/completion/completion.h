#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/completion/server_names.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

/// Returns the shells that CompletionScript knows.
std::vector<std::string> CompletionShells();

/// Returns the script that a shell sources. It calls the program (`plimsoll __complete -- …`) for
/// candidates, so it never gets outdated. REQUIRES: `shell` is one of CompletionShells.
std::string CompletionScript(std::string_view shell);

/// Candidates for the last word of a command line.
struct Candidates {
  std::vector<std::string> words;
  bool are_files = false;  // the shell completes file names
};

/// Returns the commands, flags, values of a flag or names of objects that may stand for the last of
/// `words`, which is incomplete. Asks `server` for names of objects. Bash splits `--flag=value`
/// into three words; candidates are then those for the last of them.
Candidates Complete(const CLI::App& app, const std::vector<std::string>& words,
                    const ServerNames& server);

}  // namespace plimsoll::cli
