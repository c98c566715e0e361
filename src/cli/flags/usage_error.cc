#include "cli/flags/usage_error.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <ostream>
#include <utility>

#include "base/suggest.h"
#include "cli/context.h"
#include "cli/flags/choice.h"
#include "cli/flags/command_tree.h"
#include "cli/output/failure.h"

namespace plimsoll::cli {
namespace {

/// A command that was named in the arguments.
struct NamedCommand {
  const CLI::App* app = nullptr;
  std::string name;  // plimsoll cel check
};

NamedCommand CommandAt(const CLI::App& app, const std::vector<std::string>& path) {
  NamedCommand command{&app, app.get_name()};
  for (const std::string& part : path) {
    command.app = FindCommand(*command.app, part);
    command.name += ' ' + part;
  }
  return command;
}

std::string Suggestion(std::string_view argument, const std::vector<std::string>& known) {
  const auto nearest = Nearest(argument, known);
  return nearest ? "\nDid you mean " + *nearest + "?" : std::string();
}

int PrintWithHelp(const std::string& message, const NamedCommand& command, const Look& look,
                  std::ostream& err) {
  PrintError(message + "\nRun '" + command.name + " --help' for usage.", look, err);
  return kExitUsage;
}

std::string UnknownCommand(const NamedCommand& command, const std::string& name) {
  return "unknown command \"" + name + "\" for \"" + command.name + "\"" +
         Suggestion(name, CommandNames(*command.app));
}

/// Returns true if the flag takes a value, which may be the next argument.
bool TakesValue(const CLI::App& command, const CLI::App& app, const std::string& flag) {
  for (const CLI::App* const owner : {&command, &app}) {
    for (const CLI::Option* const option : owner->get_options()) {
      if (option->check_name(flag)) return option->get_expected_min() > 0;
    }
  }
  return false;
}

/// Replaces the flag's name by the form that the user typed. CLI11 prints the flag's first name.
std::string AsTyped(std::string message, const CLI::App& command,
                    const std::vector<std::string>& arguments) {
  const auto is_typed = [&](const std::string& flag) {
    return std::ranges::any_of(arguments, [&](const std::string& argument) {
      return argument == flag || argument.starts_with(flag + "=");
    });
  };
  for (const CLI::App* app = &command; app != nullptr; app = app->get_parent()) {
    for (const CLI::Option* const option : app->get_options()) {
      const std::string first = option->get_name();
      if (!message.starts_with(first + ":") || is_typed(first)) continue;
      std::vector<std::string> names;
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
      for (const std::string& name : option->get_snames()) names.push_back("-" + name);
      const auto typed = std::ranges::find_if(names, is_typed);
      if (typed != names.end()) return *typed + message.substr(first.size());
    }
  }
  return message;
}

/// Replaces the texts of CLI11 that name its types, such as `--pod: 1 required FILE|- missing`.
std::string OwnText(const CLI::ParseError& error, const CLI::App& command,
                    const std::vector<std::string>& arguments) {
  std::string text = error.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    const std::size_t name_end = text.find(": ");
    text = text.substr(0, name_end) + ": want a value";
  }
  const std::string_view kExcludes = " excludes ";
  if (dynamic_cast<const CLI::ExcludesError*>(&error) != nullptr) {
    if (const std::size_t at = text.find(kExcludes); at != std::string::npos) {
      return text.substr(0, at) + " and " + text.substr(at + kExcludes.size()) +
             " exclude each other";
    }
  }
  return AsTyped(std::move(text), command, arguments);
}

}  // namespace

std::vector<std::string> CommandPath(const CLI::App& app,
                                     const std::vector<std::string>& arguments) {
  std::vector<std::string> path;
  const CLI::App* command = &app;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].starts_with("-")) {
      if (TakesValue(*command, app, arguments[i])) ++i;
      continue;
    }
    command = FindCommand(*command, arguments[i]);
    if (command == nullptr) break;
    path.push_back(arguments[i]);
  }
  return path;
}

int PrintUnknownCommand(const CLI::App& app, const std::vector<std::string>& path,
                        const std::string& name, const Look& look, std::ostream& err) {
  const NamedCommand command = CommandAt(app, path);
  return PrintWithHelp(UnknownCommand(command, name), command, look, err);
}

int PrintUsageError(const CLI::App& app, const std::vector<std::string>& arguments,
                    const CLI::ParseError& error, const Look& look, std::ostream& err) {
  const NamedCommand command = CommandAt(app, CommandPath(app, arguments));
  const std::vector<std::string> unknown = app.remaining(true);
  const std::vector<std::string> names = CommandNames(*command.app);
  if (unknown.empty()) {
    const bool lacks_command =
        !names.empty() && dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
    const std::string message =
        lacks_command ? "\"" + command.name + "\" needs a command: " + JoinedByOr(names)
                      : OwnText(error, *command.app, arguments);
    return PrintWithHelp(message, command, look, err);
  }
  if (unknown.front().starts_with("-")) {
    const std::string flag = unknown.front().substr(0, unknown.front().find('='));
    std::vector<std::string> known = FlagNames(*command.app);
    std::ranges::copy(FlagNames(app), std::back_inserter(known));
    return PrintWithHelp("unknown flag: " + flag + Suggestion(flag, known), command, look, err);
  }
  if (!names.empty()) {
    return PrintWithHelp(UnknownCommand(command, unknown.front()), command, look, err);
  }
  return PrintWithHelp("unexpected argument \"" + unknown.front() + "\"", command, look, err);
}

}  // namespace plimsoll::cli
