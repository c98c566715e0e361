#include "cli/manifest/manifest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plimsoll::cli {
namespace {

std::vector<Manifest> Read(std::string text, const ManifestOptions& options = {}) {
  return DecodeManifests({"f.yaml", std::move(text)}, options);
}

TEST(DecodeManifestsTest, FindsEveryObjectWithItsLine) {
  const auto manifests = Read(
      "apiVersion: v1\nkind: Node\nmetadata: {name: a}\n"
      "---\n# nothing here\n---\n"
      "apiVersion: v1\nkind: NodeList\nitems:\n- metadata: {name: b}\n- metadata: {name: c}\n");
  ASSERT_EQ(manifests.size(), 3u);
  EXPECT_EQ(manifests[0].object->metadata().name, "a");
  EXPECT_EQ(manifests[0].line, 1u);
  EXPECT_EQ(manifests[2].object->metadata().name, "c");
  EXPECT_EQ(manifests[2].line, 11u);
}

TEST(DecodeManifestsTest, PointsAtWhatCannotBeDecoded) {
  const auto manifests =
      Read("apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  priority: high\n");
  ASSERT_EQ(manifests.size(), 1u);
  EXPECT_EQ(manifests[0].object, nullptr);
  EXPECT_EQ(manifests[0].line, 5u);
  EXPECT_EQ(manifests[0].error, R"(spec.priority: want a whole number, not the text "high")");
}

TEST(DecodeManifestsTest, SettlesTheNamespaceWhenAskedTo) {
  const std::string pod =
      "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: []}\n";
  EXPECT_EQ(Read(pod)[0].object->metadata().namespace_, "");
  EXPECT_EQ(Read(pod, {.create_in = "shop"})[0].object->metadata().namespace_, "shop");
}

TEST(DecodeManifestsTest, KeepsWarnings) {
  const auto manifests = Read("apiVersion: v1\nkind: Node\nmetadata: {name: a}\nsize: 3\n");
  ASSERT_EQ(manifests[0].warnings.size(), 1u);
  EXPECT_EQ(manifests[0].warnings[0].line, 4u);
}

}  // namespace
}  // namespace plimsoll::cli
