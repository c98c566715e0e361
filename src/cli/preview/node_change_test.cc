#include "cli/preview/node_change.h"

#include <gtest/gtest.h>

#include "api/core/node.h"
#include "controller/objects_for_test.h"

namespace plimsoll::cli {
namespace {

struct ParseCase {
  std::string name;
  std::string word;
  std::string fault;  // part of the message; empty: none
};

class ParseTaintEditTest : public testing::TestWithParam<ParseCase> {};

TEST_P(ParseTaintEditTest, Parses) {
  const ParseCase& test = GetParam();
  const auto edit = ParseTaintEdit(test.word);
  ASSERT_EQ(edit.has_value(), test.fault.empty());
  if (edit) {
    EXPECT_EQ(edit->Text(), test.word);
  } else {
    EXPECT_TRUE(edit.error().message.contains(test.fault)) << edit.error().message;
  }
}

INSTANTIATE_TEST_SUITE_P(All, ParseTaintEditTest,
                         testing::ValuesIn<ParseCase>({
                             {"Set", "risk=8:NoExecute", ""},
                             {"SetWithoutValue", "example.com/risk:NoSchedule", ""},
                             {"RemoveKey", "risk-", ""},
                             {"RemoveEffect", "risk:PreferNoSchedule-", ""},
                             {"NoEffect", "risk=8", "want key=value:Effect"},
                             {"WrongEffect", "risk=8:NoExcute", "did you mean NoExecute?"},
                             {"NoKey", "=8:NoExecute", "want key=value:Effect"},
                             {"RemoveWithValue", "risk=8:NoExecute-",
                              "a taint is removed by its key"},
                         }),
                         [](const auto& test) { return test.param.name; });

const std::string kNode =
    "{apiVersion: v1, kind: Node, metadata: {name: n1, resourceVersion: \"7\"}, spec: {taints: "
    "[{key: risk, value: \"3\", effect: NoExecute, timeAdded: \"2026-03-01T12:00:00Z\"}, {key: "
    "other, effect: NoSchedule}]}}";

ObjectPtr Edited(const ObjectPtr& node, const std::string& word) {
  const TaintEdit edit = *ParseTaintEdit(word);
  auto changed = WithTaints(node, std::span(&edit, 1));
  EXPECT_TRUE(changed.has_value()) << changed.error().message;
  return changed ? *changed : nullptr;
}

TEST(WithTaintsTest, ChangesOnlyTheTaintOfTheKeyAndEffect) {
  const ObjectPtr node = controller::Decode(kNode);
  const ObjectPtr changed = Edited(node, "risk=8:NoExecute");
  const auto& taints = changed->As<api::Node>()->spec.taints;
  ASSERT_EQ(taints.size(), 2u);
  EXPECT_EQ(taints[0].value, "8");
  EXPECT_EQ(taints[0].time_added, "") << "the server sets the time of a new value";
  EXPECT_EQ(taints[1].key, "other");
  EXPECT_EQ(NodePatch(*node, *changed),
            R"({"metadata":{"resourceVersion":"7"},"spec":{"taints":[{"key":"risk","value":"8",)"
            R"("effect":"NoExecute"},{"key":"other","effect":"NoSchedule"}]}})");
  EXPECT_EQ(Edited(node, "risk=3:NoExecute"), node) << "nothing changes";
  EXPECT_EQ(Edited(node, "risk=3:NoSchedule")->As<api::Node>()->spec.taints.size(), 3u);
}

TEST(WithTaintsTest, Removes) {
  const ObjectPtr node = controller::Decode(kNode);
  EXPECT_EQ(Edited(node, "risk-")->As<api::Node>()->spec.taints.size(), 1u);
  EXPECT_EQ(Edited(node, "risk:NoSchedule-"), node);
  EXPECT_EQ(Edited(node, "absent-"), node);
}

TEST(WithTaintsTest, RejectsWhatTheServerWouldReject) {
  const ObjectPtr node = controller::Decode(kNode);
  const TaintEdit edit = *ParseTaintEdit("not a key=8:NoExecute");
  const auto changed = WithTaints(node, std::span(&edit, 1));
  ASSERT_FALSE(changed.has_value());
  EXPECT_TRUE(changed.error().message.contains("taints[2].key")) << changed.error().message;
}

TEST(WithUnschedulableTest, SetsAndClears) {
  const ObjectPtr node = controller::Decode(kNode);
  const ObjectPtr cordoned = *WithUnschedulable(node, true);
  EXPECT_TRUE(cordoned->As<api::Node>()->spec.unschedulable);
  EXPECT_EQ(NodePatch(*node, *cordoned),
            R"({"metadata":{"resourceVersion":"7"},"spec":{"unschedulable":true}})");
  EXPECT_EQ(*WithUnschedulable(cordoned, true), cordoned);
  EXPECT_EQ(NodePatch(*cordoned, **WithUnschedulable(cordoned, false)),
            R"({"metadata":{"resourceVersion":"7"},"spec":{"unschedulable":null}})");
}

}  // namespace
}  // namespace plimsoll::cli
