#include "cli/output/tree_output.h"

#include <gtest/gtest.h>

#include <sstream>

#include "cli/manifest/manifest.h"
#include "codec/json.h"
#include "codec/yaml.h"

namespace plimsoll::cli {
namespace {

std::string Written(const std::string& text, OutputFormat format) {
  codec::Document document;
  document.root() = document.NewObject();
  document.Set(document.root(), "name", document.NewString(text));
  std::ostringstream out;
  WriteTree(document.root(), format, out);
  return out.str();
}

TEST(TreeOutputTest, WritesAsKubectlDoes) {
  EXPECT_EQ(Written("web", OutputFormat::Json), "{\n    \"name\": \"web\"\n}\n");
  EXPECT_EQ(Written("web", OutputFormat::Yaml), "name: web\n");
}

TEST(TreeOutputTest, NoTextControlsTheTerminal) {
  const std::string hostile =
      "a\x1b[2J\x7f\xC2\x9B"
      "31m\r\xC2\xA9";
  for (const OutputFormat format : {OutputFormat::Json, OutputFormat::Yaml}) {
    const std::string written = Written(hostile, format);
    for (const std::string_view control : {"\x1b", "\x7f", "\xC2\x9B", "\r"}) {
      EXPECT_FALSE(written.contains(control)) << written;
    }
    const auto parsed = codec::ParseYaml(written);
    ASSERT_TRUE(parsed.has_value()) << written;
    EXPECT_EQ(parsed->front()->root().Find("name")->text(), hostile) << written;
  }
}

TEST(TreeOutputTest, NamesResourcesAsKubectlDoes) {
  struct NameCase {
    std::string manifest;
    std::string want;
  };
  const NameCase kCases[] = {
      {"{apiVersion: v1, kind: Pod, metadata: {name: web}}", "pod/web"},
      {"{apiVersion: v1, kind: Pod, metadata: {generateName: web-}}", "pod/web-"},
      {"{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}}", "deployment.apps/web"},
  };
  for (const NameCase& one : kCases) {
    const std::vector<Manifest> manifests = DecodeManifests({"f", one.manifest}, {});
    ASSERT_NE(manifests.front().object, nullptr) << manifests.front().error;
    EXPECT_EQ(ResourceName(*manifests.front().object), one.want);
  }
}

}  // namespace
}  // namespace plimsoll::cli
