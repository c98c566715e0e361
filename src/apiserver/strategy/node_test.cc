#include <gtest/gtest.h>

#include "apiserver/write/writer_for_test.h"

namespace plimsoll::apiserver {
namespace {

constexpr std::string_view kNodes = "/api/v1/nodes";
constexpr std::string_view kNode = "/api/v1/nodes/n1";
constexpr std::string_view kOld = "2026-01-01T00:00:00Z";
constexpr std::string_view kNow = "2026-03-01T12:00:00Z";

std::string Node(const std::string& taints) {
  return R"({"metadata":{"name":"n1"},"spec":{"taints":[)" + taints + "]}}";
}

std::string Taint(std::string_view value, std::string_view effect, std::string_view time) {
  std::string out = R"({"key":"k","value":")" + std::string(value) + R"(","effect":")" +
                    std::string(effect) + "\"";
  if (!time.empty()) out += R"(,"timeAdded":")" + std::string(time) + "\"";
  return out + "}";
}

struct TaintCase {
  std::string name;
  std::string before;  // items of the list; empty: the node is new
  std::string given;
  std::string want;
};

class TaintTimeTest : public testing::TestWithParam<TaintCase> {};

TEST_P(TaintTimeTest, IsWhenTheTaintCame) {
  const TaintCase& test = GetParam();
  WriterFixture server;
  if (!test.before.empty()) server.Post(kNodes, Node(test.before));
  const TestAnswer answer = test.before.empty() ? server.Post(kNodes, Node(test.given))
                                                : server.Put(kNode, Node(test.given));
  ASSERT_LT(answer.code, 300) << answer.body;
  EXPECT_EQ(answer.At("spec", "taints"), "[" + test.want + "]");
}

INSTANTIATE_TEST_SUITE_P(
    All, TaintTimeTest,
    testing::ValuesIn<TaintCase>({
        {"New", "", Taint("1", "NoExecute", ""), Taint("1", "NoExecute", kNow)},
        {"OtherEffectsHaveNone", "", Taint("1", "NoSchedule", ""), Taint("1", "NoSchedule", "")},
        {"TheClientsOwn", "", Taint("1", "NoExecute", kOld), Taint("1", "NoExecute", kOld)},
        {"Kept", Taint("1", "NoExecute", kOld), Taint("1", "NoExecute", ""),
         Taint("1", "NoExecute", kOld)},
        {"RenewedByValue", Taint("1", "NoExecute", kOld), Taint("2", "NoExecute", ""),
         Taint("2", "NoExecute", kNow)},
        {"RenewedThoughRepeated", Taint("1", "NoExecute", kOld), Taint("2", "NoExecute", kOld),
         Taint("2", "NoExecute", kNow)},
        {"RenewedByEffect", Taint("1", "NoSchedule", kOld), Taint("1", "NoExecute", ""),
         Taint("1", "NoExecute", kNow)},
    }),
    [](const auto& test) { return test.param.name; });

TEST(NodeStrategyTest, TaintTimesAreRoundedUpToASecond) {
  WriterFixture server;
  server.clock().Advance(std::chrono::milliseconds(999));
  const TestAnswer answer = server.Post(kNodes, Node(Taint("1", "NoExecute", "")));
  EXPECT_EQ(answer.At("spec", "taints"),
            "[" + Taint("1", "NoExecute", "2026-03-01T12:00:01Z") + "]");
}

TEST(NodeStrategyTest, TaintTimesDoNotShowInRefusals) {
  WriterFixture server;
  const std::string taint = Taint("1", "NoExecute", "");
  const TestAnswer twice = server.Post(kNodes, Node(taint + "," + taint));
  EXPECT_EQ(twice.message(),
            "Node \"n1\" is invalid: metadata.taints[1]: Duplicate value: "
            R"({"Key":"k","Value":"1","Effect":"NoExecute","TimeAdded":null}: )"
            "taints must be unique by key and effect pair");
}

TEST(NodeStrategyTest, AnUpdateThatChangesNothingWritesNothing) {
  WriterFixture server;
  const TestAnswer made = server.Post(kNodes, Node(Taint("1", "NoExecute", "")));
  server.clock().Advance(std::chrono::seconds(5));
  const TestAnswer same = server.Put(kNode, Node(Taint("1", "NoExecute", "")));
  EXPECT_EQ(same.At("metadata", "resourceVersion"), made.At("metadata", "resourceVersion"));
}

}  // namespace
}  // namespace plimsoll::apiserver
