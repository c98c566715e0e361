#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/command_doc.h"

/// The manual is written by the program of its own definitions, so that it cannot say other than
/// the program does.
namespace plimsoll::cli {

/// The page for man(1), of section 1.
std::string ManPage(const CommandDoc& command);

/// docs/commands.md.
std::string CommandsMarkdown(const std::vector<CommandDoc>& commands);

/// Writes a page per command to the directory: plimsoll-cel-eval.1.
Status WriteManPages(const std::vector<CommandDoc>& commands, const std::string& directory);

}  // namespace plimsoll::cli
