#include "cli/flags/output_flag.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace plimsoll::cli {
namespace {

struct FormatCase {
  std::string given;
  OutputFormat want;
  std::string refusal;
};

TEST(OutputFlagTest, AcceptsTheFormatsOfTheCommand) {
  const FormatCase kCases[] = {
      {"text", OutputFormat::Text, ""},
      {"table", OutputFormat::Text, ""},
      {"json", OutputFormat::Json, ""},
      {"name", OutputFormat::Name, ""},
      {"wide", OutputFormat::Text, "--output: want text, json or name, not \"wide\""},
  };
  for (const FormatCase& one : kCases) {
    CLI::App app;
    OutputFormat format = OutputFormat::Text;
    AddOutputFlag(app, format, {OutputFormat::Text, OutputFormat::Json, OutputFormat::Name});
    std::string refusal;
    try {
      app.parse({one.given, "--output"});
    } catch (const CLI::ParseError& error) {
      refusal = error.what();
    }
    EXPECT_EQ(refusal, one.refusal) << one.given;
    EXPECT_EQ(format, one.want) << one.given;
  }
}

TEST(OutputFlagTest, ThereIsNoTableWhereThereIsNoText) {
  CLI::App app;
  OutputFormat format = OutputFormat::Json;
  AddOutputFlag(app, format, {OutputFormat::Json, OutputFormat::Yaml});
  EXPECT_THROW(app.parse(std::vector<std::string>{"table", "-o"}), CLI::ValidationError);
  EXPECT_EQ(ToText(format), "json");
}

}  // namespace
}  // namespace plimsoll::cli
