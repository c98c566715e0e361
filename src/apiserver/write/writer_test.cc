#include "apiserver/write/writer.h"

#include <gtest/gtest.h>

#include "apiserver/write/writer_for_test.h"

namespace plimsoll::apiserver {
namespace {

TEST(WriterTest, ACreatedObjectHasWhatTheServerSets) {
  WriterFixture server;
  const TestAnswer made = server.Post(kPods, PodJson("web",
                                                     R"(,"uid":"mine","selfLink":"/x",)"
                                                     R"("generation":7)",
                                                     "", R"(,"status":{"phase":"Running"})"));
  ASSERT_EQ(made.code, 201) << made.body;
  EXPECT_EQ(made.At("metadata", "namespace"), "default");
  EXPECT_EQ(made.At("metadata", "creationTimestamp"), "2026-03-01T12:00:00Z");
  EXPECT_EQ(made.At("metadata", "uid").size(), 36u);
  EXPECT_EQ(made.At("metadata", "selfLink"), "");
  EXPECT_EQ(made.At("metadata", "generation"), "1");
  EXPECT_EQ(made.At("metadata", "resourceVersion"), "1");
  EXPECT_EQ(made.At("spec", "restartPolicy"), "Always");
  EXPECT_EQ(made.At("status"), R"({"phase":"Pending","qosClass":"BestEffort"})");
  EXPECT_EQ(*server.Stored("pods", "web")->bytes(), made.body);
}

}  // namespace
}  // namespace plimsoll::apiserver
