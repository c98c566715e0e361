#include "controller/ttl/ttl_controller.h"

#include <gtest/gtest.h>

#include <string>

#include "controller/server_for_test.h"

namespace plimsoll::controller {
namespace {

using namespace std::chrono_literals;

class TtlControllerTest : public testing::Test {
 protected:
  TtlControllerTest() : server_(core_, Instant(1h)) { server_.Sync(); }

  static std::string NameOf(int number) { return "n" + std::to_string(number); }
  void Grow(int from, int to) {
    for (int i = from; i < to; ++i) {
      server_.Put("apiVersion: v1\nkind: Node\nmetadata: {name: " + NameOf(i) + "}\n");
    }
    server_.Settle();
  }
  void Shrink(int from, int to) {
    for (int i = from; i > to; --i) server_.Delete("Node", "", NameOf(i - 1));
    server_.Settle();
  }
  std::string TtlOf(int number) {
    const ObjectPtr node = server_.Find("Node", "", NameOf(number));
    if (node == nullptr) return "no node";
    return std::string(
        node->metadata().annotations.Find(TtlController::kAnnotation).value_or("none"));
  }

  TtlController core_;
  ServerForTest<TtlController> server_;
};

TEST_F(TtlControllerTest, GrowsWithTheNumberOfNodes) {
  Grow(0, 100);
  EXPECT_EQ(TtlOf(0), "0");
  EXPECT_EQ(TtlOf(99), "0");
  Grow(100, 101);
  EXPECT_EQ(TtlOf(0), "15");
  EXPECT_EQ(TtlOf(100), "15");
  Grow(101, 501);
  EXPECT_EQ(TtlOf(0), "30");
}

TEST_F(TtlControllerTest, FallsBackOnlyWellBelowTheBorder) {
  Grow(0, 101);
  Shrink(101, 90);
  EXPECT_EQ(TtlOf(0), "15");
  Shrink(90, 89);
  EXPECT_EQ(TtlOf(0), "0");
}

TEST_F(TtlControllerTest, MendsWhatOthersWrite) {
  Grow(0, 1);
  server_.Patch("Node", "", "n0",
                R"({"metadata":{"annotations":{"node.alpha.kubernetes.io/ttl":"7"}}})");
  server_.Settle();
  EXPECT_EQ(TtlOf(0), "0");
}

TEST_F(TtlControllerTest, AFailedWriteIsTriedAgain) {
  server_.FailNext(2);
  Grow(0, 1);
  EXPECT_EQ(TtlOf(0), "none");
  server_.RunFor(1s);
  EXPECT_EQ(TtlOf(0), "0");
}

}  // namespace
}  // namespace plimsoll::controller
