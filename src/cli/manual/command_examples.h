#pragma once

#include <string_view>
#include <vector>

namespace plimsoll::cli {

/// An example call and its purpose.
struct Example {
  std::string_view line;
  std::string_view meaning;
};

/// Additions of the manual to the definition of a command.
struct CommandNotes {
  std::string_view command;  // full name: plimsoll cel eval
  std::string_view page;     // page in docs/ with the details; empty: none
  std::vector<Example> examples;
};

/// Returns empty notes if there are none for the command.
const CommandNotes& NotesOf(std::string_view command);

}  // namespace plimsoll::cli
