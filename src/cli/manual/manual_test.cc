#include "cli/manual/manual.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

#include "base/file.h"
#include "cli/manual/command_doc.h"
#include "cli/manual/command_examples.h"
#include "cli/run_for_test.h"

namespace plimsoll::cli {
namespace {

using testing::HasSubstr;

std::vector<std::string> Lines(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> Words(std::string_view line) {
  std::istringstream in{std::string(line)};
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

/// Returns the completions after these words, which do not depend on the manual.
std::vector<std::string> Offered(std::vector<std::string> words, std::string begun) {
  words.insert(words.begin(), {"__complete", "--"});
  words.push_back(std::move(begun));
  std::vector<std::string> lines = Lines(RunForTest(words).out);
  std::erase(lines, ":files");
  return lines;
}

/// Returns each runnable command, as words after the program's name.
std::vector<std::vector<std::string>> Commands(const std::vector<std::string>& above = {}) {
  std::vector<std::vector<std::string>> out;
  for (const std::string& name : Offered(above, "")) {
    std::vector<std::string> path = above;
    path.push_back(name);
    // The words after these are arguments.
    const bool has_topics = name == "help" || name == "completion" || name == "history";
    const auto below = has_topics ? std::vector<std::vector<std::string>>() : Commands(path);
    // `plimsoll evictions` runs, although it has commands of its own.
    if (below.empty() || !Offered(path, "--output").empty()) out.push_back(path);
    out.insert(out.end(), below.begin(), below.end());
  }
  return out;
}

std::string Path(const std::vector<std::string>& command, std::string_view between) {
  std::string path = "plimsoll";
  for (const std::string& word : command) path.append(between).append(word);
  return path;
}

class ManualTest : public testing::Test {
 protected:
  ManualTest() {
    std::string name = testing::TempDir() + "plimsoll-manual-XXXXXX";
    directory_ = mkdtemp(name.data());
  }
  ~ManualTest() override { std::filesystem::remove_all(directory_); }

  std::string directory_;
};

TEST_F(ManualTest, HasEveryCommandAndFlag) {
  ASSERT_EQ(RunForTest({"__manual", "man", directory_}).code, kExitOk);
  const std::string markdown = RunForTest({"__manual", "markdown"}).out;
  const auto commands = Commands();
  EXPECT_GT(commands.size(), 10u);
  const std::vector<std::string> of_all = Offered({}, "--");
  for (const std::vector<std::string>& command : commands) {
    const Result<std::string> page = ReadFile(directory_ + "/" + Path(command, "-") + ".1");
    ASSERT_TRUE(page) << page.error().message;
    const std::size_t begin = markdown.find("\n## " + Path(command, " ") + "\n");
    ASSERT_NE(begin, std::string::npos) << Path(command, " ");
    const std::string section = markdown.substr(begin, markdown.find("\n## ", begin + 1) - begin);
    for (const std::string& flag : Offered(command, "--")) {
      // The flags of every command are in the section and the page of the program.
      if (flag != "--help" && std::ranges::find(of_all, flag) != of_all.end()) continue;
      EXPECT_THAT(section, HasSubstr(flag));
      std::string escaped;
      for (const char c : flag) escaped += c == '-' ? "\\-" : std::string(1, c);
      EXPECT_THAT(*page, HasSubstr(escaped));
    }
  }
}

TEST_F(ManualTest, EveryPageHasItsSections) {
  ASSERT_EQ(RunForTest({"__manual", "man", directory_}).code, kExitOk);
  std::size_t pages = 0;
  for (const auto& entry : std::filesystem::directory_iterator(directory_)) {
    const std::string page = ReadFile(entry.path().string()).value();
    for (const std::string_view section :
         {".SH NAME\n", ".SH SYNOPSIS\n", ".SH OPTIONS\n", ".SH EXAMPLES\n", ".SH EXIT STATUS\n",
          ".SH SEE ALSO\n"}) {
      EXPECT_THAT(page, HasSubstr(std::string(section))) << entry.path();
    }
    ++pages;
  }
  EXPECT_GT(pages, 20U);
}

TEST_F(ManualTest, TheDocumentIsWhatTheProgramWrites) {
  EXPECT_EQ(*ReadFile(InTree("docs/commands.md")), RunForTest({"__manual", "markdown"}).out)
      << "run: plimsoll __manual markdown > docs/commands.md";
}

/// Returns the cells of a table's row; none for another line.
std::vector<std::string> CellsOf(const std::string& line) {
  std::vector<std::string> cells;
  if (!line.starts_with("| ")) return cells;
  for (std::size_t at = 2; at < line.size();) {
    const std::size_t end = std::min(line.find(" | ", at), line.find(" |", at));
    cells.push_back(line.substr(at, end - at));
    at = end == std::string::npos ? line.size() : end + 3;
  }
  return cells;
}

/// Returns the texts in backticks.
std::vector<std::string> Quoted(const std::string& text) {
  std::vector<std::string> found;
  for (std::size_t at = text.find('`'); at != std::string::npos;) {
    const std::size_t end = text.find('`', at + 1);
    if (end == std::string::npos) break;
    found.push_back(text.substr(at + 1, end - at - 1));
    at = text.find('`', end + 1);
  }
  return found;
}

TEST_F(ManualTest, ThePageOfTheCommandLineHasTheFormatsOfEveryCommand) {
  std::map<std::string, std::string> offered;  // by command: text|json
  for (const std::vector<std::string>& command : Commands()) {
    std::vector<std::string> flags = Offered(command, "--output");
    if (flags.empty()) continue;
    std::vector<std::string> words = command;
    words.emplace_back("--output");
    std::string& formats = offered[Path(command, " ")];
    for (const std::string& one : Offered(words, "")) formats += one + " ";
  }
  std::map<std::string, std::string> documented;
  std::istringstream page(*ReadFile(InTree("docs/command-line.md")));
  for (std::string line; std::getline(page, line);) {
    const std::vector<std::string> cells = CellsOf(line);
    if (cells.size() != 3) continue;
    std::vector<std::string> formats = Quoted(cells[1]);
    if (std::ranges::find(formats, "json") == formats.end()) continue;
    EXPECT_FALSE(cells[2].empty()) << line;
    std::ranges::sort(formats);
    for (const std::string& command : Quoted(cells[0])) {
      for (const std::string& one : formats) documented["plimsoll " + command] += one + " ";
    }
  }
  EXPECT_EQ(documented, offered);
}

// With an unknown flag added, a valid call must fail only because of that flag.
TEST_F(ManualTest, EveryCommandHasExamplesThatItTakes) {
  for (const std::vector<std::string>& command : Commands()) {
    const CommandExamples& found = ExamplesOf(Path(command, " "));
    EXPECT_GE(found.examples.size(), 2U)
        << "add two to command_examples.cc: " << Path(command, " ");
    if (!found.page.empty()) {
      EXPECT_TRUE(ReadFile(InTree("docs/" + std::string(found.page)))) << found.page;
    }
    for (const Example& example : found.examples) {
      const std::size_t begin = example.line.find("plimsoll ");
      ASSERT_NE(begin, std::string_view::npos) << example.line;
      const std::size_t end = example.line.find_first_of(">)", begin);
      EXPECT_TRUE(std::isupper(static_cast<unsigned char>(example.meaning.front())))
          << example.meaning;
      std::vector<std::string> words = Words(example.line.substr(begin, end - begin));
      words.erase(words.begin());
      words.push_back("--no-such-flag");
      const Outcome outcome = RunForTest(words);
      EXPECT_THAT(outcome.err, HasSubstr("unknown flag: --no-such-flag")) << example.line;
      EXPECT_EQ(Path(command, " "),
                Path({words.begin(), words.begin() + std::ssize(command)}, " "));
    }
  }
}

TEST_F(ManualTest, APageHasWhatManNeeds) {
  const std::string page = ManPage({.path = "plimsoll cel eval",
                                    .purpose = "Evaluate an expression",
                                    .arguments = {{.names = "EXPR", .value = "EXPR", .text = "It"}},
                                    .flags = {{.names = "-o, --output",
                                               .value = "text|json",
                                               .text = ".starts with a dot, it's \\odd",
                                               .default_value = "text"}},
                                    .commands = {}});
  EXPECT_THAT(page, testing::StartsWith(".TH PLIMSOLL\\-CEL\\-EVAL 1 "));
  EXPECT_THAT(page, HasSubstr("\n.SH NAME\nplimsoll\\-cel\\-eval \\- Evaluate an expression\n"));
  EXPECT_THAT(page, HasSubstr("\n.TP\n\\fB\\-o, \\-\\-output\\fR \\fItext|json\\fR\n"
                              "\\&.starts with a dot, it\\(aqs \\eodd [text]\n"));
  EXPECT_THAT(page, HasSubstr(".BR plimsoll\\-cel (1)\n"));
}

TEST(UsageLineTest, ShowsWhatMustBeGiven) {
  EXPECT_EQ(UsageLine({.path = "plimsoll match",
                       .purpose = "",
                       .arguments = {{.names = "FILE", .is_required = true, .is_repeated = true},
                                     {.names = "WORD"}},
                       .flags = {{.names = "--pod", .value = "FILE|-", .is_required = true},
                                 {.names = "--node", .value = "NAME"}},
                       .commands = {}}),
            "plimsoll match --pod FILE|- [flags] FILE… [WORD]");
}

}  // namespace
}  // namespace plimsoll::cli
