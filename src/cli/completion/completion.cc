#include "cli/completion/completion.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>
#include <utility>

#include "api/feature_gates.h"
#include "base/assert.h"
#include "base/text/ascii.h"
#include "cli/completion/scripts.h"
#include "cli/explain/explain_commands.h"
#include "cli/flags/choice.h"
#include "cli/flags/command_tree.h"
#include "controller/registry.h"

namespace plimsoll::cli {
namespace {

/// A command line, with each `--flag=value` as one word.
struct CommandLine {
  std::vector<std::string> words;
  std::string before;  // the part of the last word that bash does not replace
};

/// Joins the words that bash splits at equal signs.
CommandLine JoinedAtEqualSigns(const std::vector<std::string>& words) {
  CommandLine line;
  bool is_joined = false;
  for (const std::string& word : words) {
    line.before.clear();
    const bool is_sign = word == "=" && !line.words.empty();
    if (is_joined) line.before = line.words.back();
    if (is_sign) {
      line.words.back() += word;
      line.before = line.words.back();
    } else if (is_joined) {
      line.words.back() += word;
    } else {
      line.words.push_back(word);
    }
    is_joined = is_sign;
  }
  if (line.words.empty()) line.words.emplace_back();
  return line;
}

/// State behind the complete words of the command line.
struct Position {
  const CLI::App* command = nullptr;
  const CLI::Option* awaiting = nullptr;  // flag whose value comes next
  std::size_t arguments = 0;              // positional arguments so far
  NamesRequest request;
};

const CLI::Option* FindFlag(const CLI::App& command, const CLI::App& app, const std::string& word) {
  for (const CLI::App* const owner : {&command, &app}) {
    for (const CLI::Option* const option : owner->get_options()) {
      if (word.starts_with("-") && option->check_name(word)) return option;
    }
  }
  return nullptr;
}

/// Remembers the flags that say which server to ask.
void TakeValue(const CLI::Option& flag, const std::string& value, NamesRequest& request) {
  if (flag.check_lname("kubeconfig")) request.kubeconfig = value;
  if (flag.check_lname("context")) request.context = value;
  if (flag.check_lname("namespace")) request.namespace_ = value;
}

Position PositionAfter(const CLI::App& app, const std::vector<std::string>& words) {
  Position position{&app};
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string& word = words[i];
    if (position.awaiting != nullptr) {
      TakeValue(*position.awaiting, word, position.request);
      position.awaiting = nullptr;
      continue;
    }
    const std::size_t sign = word.find('=');
    const CLI::Option* const flag = FindFlag(*position.command, app, word.substr(0, sign));
    if (flag != nullptr && sign != std::string::npos) {
      TakeValue(*flag, word.substr(sign + 1), position.request);
    } else if (flag != nullptr) {
      position.awaiting = flag->get_expected_min() > 0 ? flag : nullptr;
    } else if (const CLI::App* const found = FindCommand(*position.command, word)) {
      position.command = found;
    } else {
      ++position.arguments;
    }
  }
  return position;
}

/// Offers an item of a list with commas between: keeps the items before the last comma.
std::vector<std::string> Listed(std::string_view begun, const std::vector<std::string>& items) {
  const std::size_t comma = begun.rfind(',');
  const std::string before(comma == std::string_view::npos ? "" : begun.substr(0, comma + 1));
  std::vector<std::string> words;
  for (const std::string& item : items) words.push_back(before + item);
  return words;
}

std::vector<std::string> GateValues() {
  std::vector<std::string> values;
  for (const api::FeatureSpec& spec : api::FeatureGates::All()) {
    values.push_back(std::string(spec.name) + "=true");
    values.push_back(std::string(spec.name) + "=false");
  }
  return values;
}

std::vector<std::string> ControllerValues() {
  std::vector<std::string> values = {"*"};
  for (const std::string_view name : controller::ControllerNames()) {
    values.emplace_back(name);
    values.push_back("-" + std::string(name));
  }
  return values;
}

std::optional<NamesRequest::Kind> KindNamed(std::string_view value) {
  using Kind = NamesRequest::Kind;
  if (value == "POD" || value == "[pod] NAME") return Kind::Pod;
  if (value == "NODE" || value == "[NODE...] TAINT...") return Kind::Node;
  if (value == "NAMESPACE") return Kind::Namespace;
  if (value == "DEVICECLASS") return Kind::DeviceClass;
  if (value == "DRIVER") return Kind::Driver;
  if (value == "DRIVER/POOL/DEVICE") return Kind::Device;
  if (value == "CONTEXT") return Kind::Context;
  return std::nullopt;
}

/// Returns the kind whose names the command `explain WORD` takes; null for other commands.
const api::KindDesc* ExplainedKind(const CLI::App& command) {
  const CLI::App* const parent = command.get_parent();
  if (parent == nullptr || parent->get_name() != "explain") return nullptr;
  for (const ExplainCommand& one : ExplainCommands()) {
    if (one.kind.word != command.get_name() || one.kind.kind.empty()) continue;
    return api::FindKind(one.kind.group, one.kind.version, one.kind.kind);
  }
  return nullptr;
}

/// Returns true if no shell gives the word another meaning. Names come from servers and files.
bool IsPlainWord(std::string_view word) {
  constexpr std::string_view kPlain = "-._:/@+";
  return !word.empty() && std::ranges::all_of(word, [&](char c) {
    return IsLower(c) || IsUpper(c) || IsDigit(c) || kPlain.contains(c);
  });
}

std::vector<std::string> PlainNames(const ServerNames& server, const NamesRequest& request) {
  std::vector<std::string> names = server(request);
  std::erase_if(names, [](const std::string& name) { return !IsPlainWord(name); });
  return names;
}

/// Returns the candidates for the value of a flag or argument.
Candidates ValuesFor(const CLI::Option& option, const std::string& begun, const ServerNames& server,
                     NamesRequest request) {
  if (std::vector<std::string> values = ValuesOf(option); !values.empty()) return {values};
  const std::string type = option.get_type_name();
  if (type == "GATES") return {Listed(begun, GateValues())};
  if (type == "CONTROLLERS") return {Listed(begun, ControllerValues())};
  if (const auto kind = KindNamed(type)) {
    request.kind = *kind;
    return {PlainNames(server, request)};
  }
  return {{}, type.starts_with("FILE") || type.starts_with("DIR")};
}

/// Returns the argument of the command at that index; the last one repeats.
const CLI::Option* ArgumentAt(const CLI::App& command, std::size_t index) {
  const CLI::Option* last = nullptr;
  for (const CLI::Option* const option : command.get_options()) {
    if (!option->get_positional()) continue;
    last = option;
    if (index-- == 0) return option;
  }
  return last != nullptr && last->get_expected_max() > 1 ? last : nullptr;
}

Candidates CandidatesAt(const CLI::App& app, const Position& position, const std::string& last,
                        const ServerNames& server) {
  if (position.awaiting != nullptr) {
    return ValuesFor(*position.awaiting, last, server, position.request);
  }
  const std::size_t sign = last.find('=');
  if (last.starts_with("-") && sign != std::string::npos) {
    const std::string flag = last.substr(0, sign);
    const CLI::Option* const option = FindFlag(*position.command, app, flag);
    if (option == nullptr) return {};
    Candidates found = ValuesFor(*option, last.substr(sign + 1), server, position.request);
    for (std::string& word : found.words) word.insert(0, flag + "=");
    return found;
  }
  if (last.starts_with("-")) {
    std::vector<std::string> flags = FlagNames(*position.command);
    std::ranges::copy(FlagNames(app), std::back_inserter(flags));
    return {std::move(flags)};
  }
  if (position.command->get_name() == "help") return {CommandNames(app)};
  if (std::vector<std::string> names = CommandNames(*position.command); !names.empty()) {
    return {std::move(names)};
  }
  const CLI::Option* const argument = ArgumentAt(*position.command, position.arguments);
  if (argument == nullptr) return {};
  if (const api::KindDesc* const kind = ExplainedKind(*position.command);
      kind != nullptr && argument->get_type_name() == "NAME") {
    NamesRequest request = position.request;
    request.kind = NamesRequest::Kind::Object;
    request.object = kind;
    return {PlainNames(server, request)};
  }
  return ValuesFor(*argument, last, server, position.request);
}

}  // namespace

std::vector<std::string> CompletionShells() { return {"bash", "zsh", "fish"}; }

std::string CompletionScript(std::string_view shell) {
  if (shell == "bash") return std::string(kBashScript);
  if (shell == "zsh") return std::string(kZshScript);
  PL_ASSERT(shell == "fish");
  return std::string(kFishScript);
}

Candidates Complete(const CLI::App& app, const std::vector<std::string>& words,
                    const ServerNames& server) {
  CommandLine line = JoinedAtEqualSigns(words);
  // `explain deploy we` means `explain deployment we`.
  const std::string incomplete = std::move(line.words.back());
  line.words.pop_back();
  line.words = WithExplainedKind(std::move(line.words));
  line.words.push_back(incomplete);
  const std::string& last = line.words.back();
  Candidates found = CandidatesAt(app, PositionAfter(app, line.words), last, server);
  std::erase_if(found.words, [&](const std::string& word) { return !word.starts_with(last); });
  for (std::string& word : found.words) word.erase(0, line.before.size());
  std::ranges::sort(found.words);
  found.words.erase(std::ranges::unique(found.words).begin(), found.words.end());
  return found;
}

}  // namespace plimsoll::cli
