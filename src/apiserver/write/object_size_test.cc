// A stored object has at most 1.5 MiB, whichever write made it large.

#include <gtest/gtest.h>

#include <string>

#include "apiserver/write/writer_for_test.h"
#include "store/write_limit.h"

namespace plimsoll::apiserver {
namespace {

constexpr std::string_view kTooLarge = "etcdserver: request is too large";

/// Returns container arguments of this length.
std::string Arguments(std::size_t bytes) {
  return R"(,"args":[")" + std::string(bytes, 'x') + R"("])";
}

std::string LargePod(std::string_view name, std::size_t bytes) {
  return R"({"metadata":{"name":")" + std::string(name) +
         R"("},"spec":{"containers":[{"name":"c","image":"i")" + Arguments(bytes) + "}]}}";
}

class ObjectSizeTest : public testing::Test {
 protected:
  ObjectSizeTest() { EXPECT_EQ(server_.Post(kPods, LargePod("a", 1u << 20)).code, 201); }

  void ExpectRefused(const TestAnswer& answer) {
    EXPECT_EQ(answer.code, 413) << answer.body.substr(0, 500);
    EXPECT_EQ(answer.At("reason"), "RequestEntityTooLarge");
    EXPECT_EQ(answer.message(), kTooLarge);
    EXPECT_LT(server_.Stored("pods", "a")->bytes()->size(), store::kWriteBytesMax);
  }

  WriterFixture server_;
};

TEST_F(ObjectSizeTest, ACreateOfALargeObjectIsRefused) {
  ExpectRefused(server_.Post(kPods, LargePod("b", store::kWriteBytesMax)));
  EXPECT_EQ(server_.Stored("pods", "b"), nullptr);
}

TEST_F(ObjectSizeTest, AnUpdateThatMakesItLargeIsRefused) {
  // The image can be updated, and its length has no limit.
  ExpectRefused(server_.Put(PodTarget("a"),
                            R"({"metadata":{"name":"a"},"spec":{"containers":[{"name":"c",)"
                            R"("imagePullPolicy":"Always","image":")" +
                                std::string(600'000, 'i') + R"(")" + Arguments(1u << 20) + "}]}}"));
}

TEST_F(ObjectSizeTest, PatchesThatMakeItLargeAreRefused) {
  const std::string image(600'000, 'i');
  ExpectRefused(server_.Patch(
      PodTarget("a"), R"({"spec":{"containers":[{"name":"c","image":")" + image + R"("}]}})"));
  ExpectRefused(server_.Patch(
      PodTarget("a"),
      R"([{"op":"replace","path":"/spec/containers/0/image","value":")" + image + R"("}])",
      "json-patch+json"));
  // The patch is small, but the value that it copies is large.
  ExpectRefused(server_.Patch(
      PodTarget("a"),
      R"([{"op":"copy","from":"/spec/containers/0/args/0","path":"/spec/containers/0/image"}])",
      "json-patch+json"));
  ExpectRefused(server_.Patch(PodTarget("a") + "?fieldManager=m&force=true",
                              R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"},)"
                              R"("spec":{"containers":[{"name":"c","image":")" +
                                  image + R"("}]}})",
                              "apply-patch+yaml"));
}

TEST_F(ObjectSizeTest, AStatusThatMakesItLargeIsRefused) {
  ExpectRefused(server_.Patch(PodTarget("a") + "/status",
                              R"({"status":{"message":")" + std::string(600'000, 'm') + R"("}})",
                              "merge-patch+json"));
}

TEST_F(ObjectSizeTest, TenThousandOperationsAreTheMostOfAPatch) {
  std::string patch = "[";
  for (int i = 0; i <= 10'000; ++i) {
    patch += R"({"op":"test","path":"/kind","value":"Pod"},)";
  }
  patch.back() = ']';
  const TestAnswer answer = server_.Patch(PodTarget("a"), patch, "json-patch+json");
  EXPECT_EQ(answer.code, 413);
  EXPECT_EQ(answer.message(),
            "Request entity too large: The allowed maximum operations in a JSON patch is 10000, "
            "got 10001");
}

TEST_F(ObjectSizeTest, AliasesOfYamlDoNotMakeItLarge) {
  std::string body = "metadata:\n  name: b\nspec:\n  containers:\n  - name: c\n    image: &x " +
                     std::string(10'000, 'i') + "\n    args:\n";
  for (int i = 0; i < 1000; ++i) body += "    - *x\n";
  const TestAnswer answer = server_.Post(kPods, body, {{"Content-Type", "application/yaml"}});
  EXPECT_EQ(answer.code, 400);
  EXPECT_TRUE(answer.message().contains("document contains excessive aliasing")) << answer.body;
}

}  // namespace
}  // namespace plimsoll::apiserver
