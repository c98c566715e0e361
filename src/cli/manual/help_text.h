#pragma once

#include <string_view>
#include <vector>

#include "cli/manual/command_doc.h"
#include "cli/output/styled_text.h"

namespace plimsoll::cli {

/// Returns what --help prints for the command with this path, such as `plimsoll cel eval`: its
/// usage, examples, arguments and flags, or the commands below it. `commands` are all commands, the
/// program first. The help of the program lists the commands by group. REQUIRES: the command is
/// among them.
StyledText HelpText(const std::vector<CommandDoc>& commands, std::string_view path);

}  // namespace plimsoll::cli
