#include "cli/manifest/manifest_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace plimsoll::cli {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

/// A temporary directory for each test.
class SourceTest : public testing::Test {
 protected:
  SourceTest() {
    std::string name = fs::temp_directory_path() / "plimsoll-source-XXXXXX";
    folder_ = mkdtemp(name.data());
  }
  ~SourceTest() override { fs::remove_all(folder_); }

  std::string Path(const std::string& name) const { return folder_ / name; }

  void Write(const std::string& name, const std::string& text) const {
    fs::create_directories(fs::path(Path(name)).parent_path());
    std::ofstream(Path(name)) << text;
  }

  static Result<std::vector<ManifestText>> Read(const std::vector<std::string>& paths,
                                                const std::string& input = {}) {
    std::istringstream in(input);
    return ReadManifestTexts(paths, in);
  }

  static std::string ErrorOf(const std::string& path) {
    const auto sources = Read({path});
    return sources ? "" : sources.error().message;
  }

  fs::path folder_;
};

TEST_F(SourceTest, ReadsFilesAndStandardInputInTheOrderGiven) {
  const std::string large(10'000, 'x');
  Write("b.txt", large);
  Write("empty.yaml", "");
  const auto sources = Read({"-", Path("b.txt"), Path("empty.yaml")}, "typed");
  ASSERT_TRUE(sources.has_value());
  ASSERT_EQ(sources->size(), 3u);
  EXPECT_EQ(sources->at(0).name, "<stdin>");
  EXPECT_EQ(sources->at(0).text, "typed");
  EXPECT_EQ(sources->at(1).name, Path("b.txt"));
  EXPECT_EQ(sources->at(1).text, large);
  EXPECT_EQ(sources->at(2).text, "");
}

TEST_F(SourceTest, ReadsTheManifestsOfADirectoryByName) {
  Write("z.json", "1");
  Write("sub.yaml/a.yml", "2");
  Write("notes.txt", "3");
  Write("b.yaml", "4");
  const auto sources = Read({folder_});
  ASSERT_TRUE(sources.has_value());
  std::vector<std::string> texts;
  for (const ManifestText& source : *sources) texts.push_back(source.text);
  EXPECT_THAT(texts, ElementsAre("4", "2", "1"));
}

TEST_F(SourceTest, SaysWhatIsNotThere) {
  Write("pod.yaml", "");
  EXPECT_EQ(ErrorOf(Path("pod.yml")), "the path \"" + Path("pod.yml") +
                                          "\" does not exist; did you mean \"" + Path("pod.yaml") +
                                          "\"?");
  Write("texts/a.txt", "");
  EXPECT_EQ(ErrorOf(Path("texts")), "the directory \"" + Path("texts") +
                                        "\" contains no manifests: no *.yaml, *.yml or *.json");
}

TEST_F(SourceTest, AnEndlessFileIsNotReadToItsEnd) {
  std::istringstream in;
  const auto endless = ReadManifestTexts({"/dev/zero"}, in, 1'000);
  ASSERT_FALSE(endless.has_value());
  EXPECT_EQ(endless.error().reason, Reason::RequestEntityTooLarge);
  EXPECT_EQ(endless.error().message, "\"/dev/zero\" is larger than 1000 bytes");
}

TEST_F(SourceTest, WhatCannotBeReadIsAnError) {
  // The first page of this file is not readable, not even for root.
  EXPECT_EQ(ErrorOf("/proc/self/mem"), "cannot read \"/proc/self/mem\"");

  Write("links/good.yaml", "");
  fs::create_symlink("loop.yaml", Path("links/loop.yaml"));
  EXPECT_EQ(ErrorOf(Path("links/loop.yaml")), "cannot read \"" + Path("links/loop.yaml") + "\"");
  EXPECT_EQ(ErrorOf(Path("links")), "cannot read \"" + Path("links/loop.yaml") + "\"");

  Write("dangling/good.yaml", "");
  fs::create_symlink("gone", Path("dangling/gone.yaml"));
  EXPECT_EQ(ErrorOf(Path("dangling")), "cannot read \"" + Path("dangling/gone.yaml") + "\"");
}

}  // namespace
}  // namespace plimsoll::cli
