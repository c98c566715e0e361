#include "runner/device_template.h"

#include <gtest/gtest.h>

#include "runner/node_template.h"

namespace plimsoll::runner {
namespace {

TEST(SplitDocumentsTest, LeavesOutWhatSaysNothing) {
  const auto parts = SplitDocuments("# a comment\n---\na: 1\n---\n\n# nothing\n---\nb: 2\n");
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0], "a: 1\n");
  EXPECT_EQ(parts[1], "b: 2\n");
  EXPECT_TRUE(SplitDocuments("").empty());
  EXPECT_EQ(SplitDocuments("a: 1").size(), 1u);
}

constexpr std::string_view kSlice = R"(apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata:
  annotations: {plimsoll.io/devices: "3", plimsoll.io/binding-delay: 2s}
spec:
  driver: gpu.example.com
  devices:
  - name: gpu-{{d}}
    attributes:
      model: {string: "{{d|H100|A100}}"}
      index: {int: {{d+1}}}
      node: {int: {{i}}}
  - name: nic
)";

TEST(MakeSliceTest, RepeatsTheDevicesThatHaveANumber) {
  const auto slice = MakeSlice(kSlice, 7, "node-7");
  ASSERT_TRUE(slice.has_value()) << slice.error().Text();
  EXPECT_EQ(slice->driver, "gpu.example.com");
  EXPECT_EQ(slice->pool, "node-7");
  EXPECT_EQ(slice->binding_delay, std::chrono::seconds(2));
  EXPECT_FALSE(slice->is_of_taints);
  EXPECT_EQ(slice->spec,
            R"({"devices":[)"
            R"({"name":"gpu-0","attributes":{"model":{"string":"H100"},"index":{"int":1},)"
            R"("node":{"int":7}}},{"name":"nic"},)"
            R"({"name":"gpu-1","attributes":{"model":{"string":"A100"},"index":{"int":2},)"
            R"("node":{"int":7}}},)"
            R"({"name":"gpu-2","attributes":{"model":{"string":"H100"},"index":{"int":3},)"
            R"("node":{"int":7}}}],"nodeName":"node-7"})");
}

TEST(MakeSliceTest, TaintsAreASliceOfTheirOwn) {
  const auto slice = MakeSlice(
      "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\n"
      "metadata: {annotations: {plimsoll.io/binding-failure: 'true'}}\n"
      "spec: {driver: d, pool: {name: shared}, allNodes: true, taints: []}\n",
      0, "n");
  ASSERT_TRUE(slice.has_value()) << slice.error().Text();
  EXPECT_TRUE(slice->is_of_taints);
  EXPECT_TRUE(slice->binding_fails);
  EXPECT_EQ(slice->pool, "shared");
  EXPECT_EQ(slice->spec, R"({"allNodes":true,"taints":[]})");
}

struct BadCase {
  std::string name;
  std::string text;
  std::string want;  // part of the message
};

class BadSliceTest : public testing::TestWithParam<BadCase> {};

TEST_P(BadSliceTest, IsInvalid) {
  const auto slice = MakeSlice(GetParam().text, 0, "n1");
  ASSERT_FALSE(slice.has_value());
  EXPECT_TRUE(slice.error().Text().contains(GetParam().want)) << slice.error().Text();
}

const std::string kHead = "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\n";
INSTANTIATE_TEST_SUITE_P(
    All, BadSliceTest,
    testing::ValuesIn<BadCase>({
        {"OtherKind", "apiVersion: v1\nkind: Pod\nspec: {}\n", "must be ResourceSlices, got a Pod"},
        {"NoSpec", kHead, "ResourceSlices with a spec"},
        {"NoDriver", kHead + "spec: {devices: []}\n", "must name its driver"},
        {"UnknownField", kHead + "spec: {driver: d, devises: []}\n", "devises"},
        {"Count",
         kHead + "metadata: {annotations: {plimsoll.io/devices: '0'}}\nspec: {driver: d}\n",
         "plimsoll.io/devices: want a number from 1 to 128, got \"0\""},
        {"LargeCount",
         kHead + "metadata: {annotations: {plimsoll.io/devices: '129'}}\nspec: {driver: d}\n",
         "plimsoll.io/devices: want a number from 1 to 128, got \"129\""},
        {"Delay",
         kHead + "metadata: {annotations: {plimsoll.io/binding-delay: soon}}\nspec: {driver: d}\n",
         "want a duration such as 2s, got \"soon\""},
        {"Pattern", kHead + "spec: {driver: '{{x}}'}\n", "'{{x}}' is not a pattern"},
    }),
    [](const auto& test) { return test.param.name; });

TEST(FillInTest, WithADeviceBothNumbersCount) {
  EXPECT_EQ(FillIn("{{i}}-{{d}}-{{d%2}}-{{d|a|b}}-{{a|b}}-{{d|x}}", 4, 3).value(), "4-3-1-b-a-x");
  EXPECT_FALSE(FillIn("{{d}}", 4).has_value());
  EXPECT_EQ(FillIn("{{d|e}}", 1).value(), "e");  // a list of words, because there is no device
}

TEST(MakeNodesTest, SlicesFollowTheNode) {
  NodeTemplate from;
  from.text = "apiVersion: v1\nkind: Node\nmetadata: {name: 'n{{i}}'}\n---\n" + std::string(kSlice);
  from.count = 2;
  const auto nodes = MakeNodes(from);
  ASSERT_TRUE(nodes.has_value()) << nodes.error().Text();
  ASSERT_EQ(nodes->at(1).slices.size(), 1u);
  EXPECT_EQ(nodes->at(1).slices[0].pool, "n1");
}

}  // namespace
}  // namespace plimsoll::runner
