#include "cli/explain/cluster_reader.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>

#include "base/file.h"
#include "base/real_clock.h"

namespace plimsoll::cli {
namespace {

TEST(ClusterReaderTest, AMissingKubeconfigIsAWrongCall) {
  RealClock clock;
  const auto reader = ClusterReader::Connect("/nonexistent/config", {}, clock);
  ASSERT_FALSE(reader.has_value());
  EXPECT_EQ(reader.error().reason, Reason::Invalid);
}

TEST(ClusterReaderTest, ASilentServerIsNamed) {
  const std::string path =
      (std::filesystem::temp_directory_path() / "plimsoll-cluster-reader-test").string();
  // No server listens on port 1.
  ASSERT_TRUE(WriteFile(path,
                        "{apiVersion: v1, kind: Config, current-context: c, contexts: [{name: c, "
                        "context: {cluster: c, user: u, namespace: shop}}], clusters: [{name: c, "
                        "cluster: {server: 'http://127.0.0.1:1'}}], users: [{name: u, user: {}}]}",
                        0600)
                  .has_value());
  RealClock clock;
  const auto reader = ClusterReader::Connect(path, {}, clock);
  ASSERT_TRUE(reader.has_value()) << reader.error().Text();
  EXPECT_EQ(reader->namespace_(), "shop");
  const auto nodes = reader->List({"", "v1", "Node"}, {});
  ASSERT_FALSE(nodes.has_value());
  EXPECT_TRUE(nodes.error().Text().contains("the server does not answer: "))
      << nodes.error().Text();
  EXPECT_TRUE(nodes.error().Text().contains(path));
  EXPECT_FALSE(reader->Find(*api::FindKind("", "v1", "Node"), {}, "n1").has_value());
  EXPECT_FALSE(reader->ListAll().has_value());
  std::remove(path.c_str());
}

}  // namespace
}  // namespace plimsoll::cli
