#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace plimsoll::cli {

/// A flag, or an argument without one.
struct FlagDoc {
  std::string names;  // -o, --output; of an argument what it stands for: FILE|DIR|-
  std::string value;  // what it takes: FILE, text|json; empty: nothing
  std::string text;
  std::string usual;  // its value when it is not given; empty: none worth telling
  bool is_required = false;
  bool is_repeated = false;
};

/// A command as its definition has it.
struct CommandDoc {
  std::string path;  // plimsoll cel eval
  std::string purpose;
  std::vector<FlagDoc> arguments;
  std::vector<FlagDoc> flags;
  std::vector<std::string> commands;  // the paths of those below it
};

/// The program and all its commands, each before those below it, without hidden ones.
std::vector<CommandDoc> DescribeCommands(const CLI::App& program);

/// `plimsoll check [flags] FILE|DIR|-…`
std::string UsageLine(const CommandDoc& command);

}  // namespace plimsoll::cli
