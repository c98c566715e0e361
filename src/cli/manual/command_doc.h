#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace plimsoll::cli {

/// A flag or a positional argument.
struct FlagDoc {
  std::string names;  // -o, --output; for an argument its placeholder: FILE|DIR|-
  std::string value;  // placeholder of its value: FILE, text|json; empty: no value
  std::string text;
  std::string default_value;  // empty: none worth showing
  bool is_required = false;
  bool is_repeated = false;
};

/// Documentation of a command, from its definition.
struct CommandDoc {
  std::string path;  // plimsoll cel eval
  std::string purpose;
  std::string group;  // of the program's help; empty: the program, or a subcommand
  std::vector<FlagDoc> arguments;
  std::vector<FlagDoc> flags;
  std::vector<std::string> commands;  // paths of its subcommands
  bool runs = true;                   // false: one of its subcommands must be given
};

/// Returns the program and all its visible commands, each before its subcommands.
std::vector<CommandDoc> DescribeCommands(const CLI::App& program);

/// Returns `plimsoll check [flags] FILE|DIR|-…`.
std::string UsageLine(const CommandDoc& command);

}  // namespace plimsoll::cli
