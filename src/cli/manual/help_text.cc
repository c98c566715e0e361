#include "cli/manual/help_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/assert.h"
#include "cli/manual/command_examples.h"
#include "cli/output/display_width.h"

namespace plimsoll::cli {
namespace {

/// Flags with longer names have their text in the next line.
constexpr std::size_t kNamesWidth = 30;
constexpr std::size_t kGap = 3;

/// A name in the first column, and its text in the second.
struct Entry {
  std::string name;
  std::string text;
};

const CommandDoc& Find(const std::vector<CommandDoc>& commands, std::string_view path) {
  const auto found = std::ranges::find(commands, path, &CommandDoc::path);
  PL_ASSERT(found != commands.end());
  return *found;
}

void AddHeading(std::string_view heading, StyledText& out) {
  out.Add("\n").Add(heading, Style::Heading).Add(":\n");
}

void AddEntries(std::string_view heading, const std::vector<Entry>& entries, StyledText& out) {
  if (entries.empty()) return;
  AddHeading(heading, out);
  std::size_t width = 0;
  for (const Entry& entry : entries) {
    const std::size_t its = DisplayWidth(entry.name);
    if (its <= kNamesWidth) width = std::max(width, its);
  }
  for (const Entry& entry : entries) {
    const std::size_t its = DisplayWidth(entry.name);
    out.Add(fmt::format("  {}", entry.name));
    out.Add(its <= width ? std::string(width - its + kGap, ' ')
                         : "\n" + std::string(2 + width + kGap, ' '));
    out.AddHanging(entry.text).Add("\n");
  }
}

Entry EntryOf(const FlagDoc& flag) {
  Entry entry{flag.names, flag.text};
  const bool has_value = flag.names.starts_with("-") && !flag.value.empty();
  if (has_value) entry.name += " " + flag.value;
  std::string notes;
  const auto add = [&](std::string_view note) {
    notes += notes.empty() ? note : fmt::format("; {}", note);
  };
  if (flag.is_required && has_value) add("required");
  if (flag.is_repeated && has_value) add("may be repeated");
  if (!flag.default_value.empty()) add("default: " + flag.default_value);
  if (!notes.empty()) entry.text += fmt::format(" ({})", notes);
  return entry;
}

std::vector<Entry> EntriesOf(const std::vector<FlagDoc>& flags) {
  std::vector<Entry> entries;
  for (const FlagDoc& flag : flags) entries.push_back(EntryOf(flag));
  return entries;
}

void AddExamples(const CommandDoc& command, StyledText& out) {
  const std::vector<Example> examples = ExamplesFor(command.path, command.commands);
  if (examples.empty()) return;
  AddHeading("Examples", out);
  const bool is_plugin = command.path.starts_with("kubectl ");
  for (const Example& example : examples) {
    if (&example != &examples.front()) out.Add("\n");
    std::string line(example.line);
    if (is_plugin) line.insert(std::min(line.find("plimsoll "), line.size()), "kubectl ");
    out.Add(fmt::format("  # {}\n  {}\n", example.meaning, line));
  }
}

void AddCommandGroups(const std::vector<CommandDoc>& commands, StyledText& out) {
  std::vector<std::string> groups;
  for (const CommandDoc& command : commands) {
    if (!command.group.empty() && std::ranges::find(groups, command.group) == groups.end()) {
      groups.push_back(command.group);
    }
  }
  for (const std::string& group : groups) {
    std::vector<Entry> entries;
    for (const CommandDoc& command : commands) {
      if (command.group != group) continue;
      entries.push_back({command.path.substr(command.path.rfind(' ') + 1), command.purpose});
    }
    AddEntries(group, entries, out);
  }
}

}  // namespace

StyledText HelpText(const std::vector<CommandDoc>& commands, std::string_view path) {
  const CommandDoc& command = Find(commands, path);
  const bool is_program = &command == &commands.front();
  StyledText out;
  out.Add(fmt::format("{}.\n\n", command.purpose));
  out.Add("Usage", Style::Heading).Add(fmt::format(": {}\n", UsageLine(command)));
  AddExamples(command, out);
  if (is_program) {
    AddCommandGroups(commands, out);
  } else {
    std::vector<Entry> below;
    for (const std::string& name : command.commands) {
      below.push_back({name.substr(name.rfind(' ') + 1), Find(commands, name).purpose});
    }
    AddEntries("Commands", below, out);
  }
  AddEntries("Arguments", EntriesOf(command.arguments), out);
  AddEntries(is_program ? "Flags of every command" : "Flags", EntriesOf(command.flags), out);
  if (!command.commands.empty()) {
    out.Add(fmt::format("\nRun '{} COMMAND --help' for the flags and examples of a command.\n",
                        command.path));
  } else {
    out.Add(
        fmt::format("\nRun '{} --help' for the flags of every command.\n", commands.front().path));
  }
  return out;
}

}  // namespace plimsoll::cli
