#include "apiserver/admission/taint_times.h"

#include <gtest/gtest.h>

#include "apiserver/admission/admission_for_test.h"

namespace plimsoll::apiserver {
namespace {

struct TaintCase {
  std::string name;
  std::string before;  // the list's items; empty: the node is new
  std::string given;
  std::string want;
};

class TaintTimesTest : public testing::TestWithParam<TaintCase> {};

std::string Node(const std::string& taints) {
  return R"({"metadata":{"name":"n1"},"spec":{"taints":[)" + taints + "]}}";
}

std::string Taint(std::string_view value, std::string_view effect, std::string_view time) {
  std::string out = R"({"key":"k","value":")" + std::string(value) + R"(","effect":")" +
                    std::string(effect) + "\"";
  if (!time.empty()) out += R"(,"timeAdded":")" + std::string(time) + "\"";
  return out + "}";
}

constexpr std::string_view kOld = "2026-01-01T00:00:00Z";
constexpr std::string_view kNow = "2026-03-01T12:00:00Z";

TEST_P(TaintTimesTest, NotesWhenATaintCame) {
  const TaintCase& test = GetParam();
  AdmissionFixture server;
  TaintTimes gate(server.clock());
  const AdmissionCase ask{.operation = test.before.empty() ? Operation::Create : Operation::Update,
                          .plural = "nodes",
                          .object = Node(test.given),
                          .before = test.before.empty() ? "" : Node(test.before)};
  EXPECT_EQ(server.Ask(gate, ask), Node(test.want));
}

INSTANTIATE_TEST_SUITE_P(
    All, TaintTimesTest,
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

TEST(TaintNodesByConditionTest, ANewNodeIsNotReady) {
  AdmissionFixture server;
  TaintNodesByCondition gate;
  const std::string not_ready = R"({"key":"node.kubernetes.io/not-ready","effect":"NoSchedule"})";
  EXPECT_EQ(server.Ask(gate, {.plural = "nodes", .object = Node("")}), Node(not_ready));
  EXPECT_EQ(server.Ask(gate, {.plural = "nodes", .object = Node(not_ready)}), Node(not_ready));
  EXPECT_EQ(server.Ask(gate, {.operation = Operation::Update,
                              .plural = "nodes",
                              .object = Node(""),
                              .before = Node("")}),
            Node(""));
}

}  // namespace
}  // namespace plimsoll::apiserver
