#pragma once

#include <string_view>
#include <vector>

namespace plimsoll::cli {

/// A call and what it is for.
struct Example {
  std::string_view line;
  std::string_view meaning;
};

/// What the manual says of a command beside what its definition says.
struct CommandNotes {
  std::string_view command;  // as it is called: plimsoll cel eval
  std::string_view page;     // of docs/ that tells the whole story; empty: there is none
  std::vector<Example> examples;
};

/// Empty for a command of which nothing is said.
const CommandNotes& NotesOf(std::string_view command);

}  // namespace plimsoll::cli
