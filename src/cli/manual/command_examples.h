#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::cli {

/// An example call and its purpose.
struct Example {
  std::string_view line;
  std::string_view meaning;
};

/// Examples of a command, which the manual adds to its definition.
struct CommandExamples {
  std::string_view command;  // full name: plimsoll cel eval
  std::string_view page;     // page in docs/ with the details; empty: none
  std::vector<Example> examples;
};

/// Returns none, and no page, for an unknown command.
const CommandExamples& ExamplesOf(std::string_view command);

/// Returns the examples of a command; for a group of commands, the first example of each.
std::vector<Example> ExamplesFor(std::string_view command, const std::vector<std::string>& below);

}  // namespace plimsoll::cli
