#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/manual/command_doc.h"

/// The manual is generated from the definitions of the commands, so that it always matches the
/// program.
namespace plimsoll::cli {

/// Returns the page for man(1), in section 1.
std::string ManPage(const CommandDoc& command);

/// Returns docs/commands.md.
std::string CommandsMarkdown(const std::vector<CommandDoc>& commands);

/// Writes one page per command to the directory, such as plimsoll-cel-eval.1.
Status WriteManPages(const std::vector<CommandDoc>& commands, const std::string& directory);

}  // namespace plimsoll::cli
