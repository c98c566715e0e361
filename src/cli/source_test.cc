#include "cli/source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "cli/run_for_test.h"

namespace plimsoll::cli {
namespace {

TEST(ReadSourcesTest, TakesFilesDirectoriesAndStandardInput) {
  std::istringstream in("from a pipe");
  const auto sources = ReadSources({"-", InTree("examples/tour")}, in);
  ASSERT_TRUE(sources.has_value()) << sources.error().Text();
  ASSERT_EQ(sources->size(), 3u);
  EXPECT_EQ((*sources)[0].name, "<stdin>");
  EXPECT_EQ((*sources)[0].text, "from a pipe");
  EXPECT_EQ((*sources)[1].name, InTree("examples/tour/nodes.yaml"));  // in order of their names
  EXPECT_EQ((*sources)[2].name, InTree("examples/tour/pod.yaml"));
}

TEST(ReadSourcesTest, NamesWhatIsMissing) {
  std::istringstream in;
  const auto gone = ReadSources({InTree("examples/tuor")}, in);
  ASSERT_FALSE(gone.has_value());
  EXPECT_EQ(gone.error().reason, Reason::NotFound);
  EXPECT_THAT(gone.error().message, testing::EndsWith("examples/tour\"?"));

  const auto empty = ReadSources({InTree("src/base")}, in);
  ASSERT_FALSE(empty.has_value());
  EXPECT_THAT(empty.error().message, testing::StartsWith("no *.yaml, *.yml or *.json below"));
}

}  // namespace
}  // namespace plimsoll::cli
