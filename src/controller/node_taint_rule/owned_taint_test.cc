#include "controller/node_taint_rule/owned_taint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "controller/objects_for_test.h"

namespace plimsoll::controller {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

const TaintOwner kOwner{.rule = "r", .key = "k"};
const OwnedTaint kTaint{.value = "5", .effect = "NoExecute", .changed_at = Instant(1500ms)};

constexpr std::string_view kRecord =
    R"('{"key":"k","value":"5","effect":"NoExecute","time":"1970-01-01T00:00:01.500000Z"}')";

ObjectPtr NodeWith(std::string_view record, std::string_view taints = "") {
  std::string annotations;
  if (!record.empty()) {
    annotations = ", annotations: {taint-rule.plimsoll.io/r: " + std::string(record) + "}";
  }
  return Decode("{apiVersion: v1, kind: Node, metadata: {name: n1, uid: u, resourceVersion: '7'" +
                annotations + "}, spec: {taints: [" + std::string(taints) + "]}}");
}

TEST(OwnedTaintTest, TheRecordIsRead) {
  EXPECT_EQ(OwnedTaintOf(*NodeWith(""), kOwner), std::nullopt);
  EXPECT_EQ(OwnedTaintOf(*NodeWith(kRecord), kOwner), kTaint);
  EXPECT_EQ(OwnedTaintOf(*NodeWith(kRecord), {.rule = "s", .key = "k"}), std::nullopt);
}

TEST(OwnedTaintTest, ARecordThatCannotBeReadHasNoValue) {
  for (const std::string_view record : {"'{'", "''", "'[]'", "'{\"key\":\"other\"}'"}) {
    EXPECT_EQ(OwnedTaintOf(*NodeWith(record), kOwner), OwnedTaint{}) << record;
  }
  const std::string huge = "'{\"key\":\"k\",\"value\":\"" + std::string(5000, 'v') + "\"}'";
  EXPECT_EQ(OwnedTaintOf(*NodeWith(huge), kOwner), OwnedTaint{});
}

TEST(OwnedTaintTest, AnApplyHasOnlyTheOwnTaint) {
  const ObjectPtr node = NodeWith("", "{key: other, effect: NoSchedule}");
  const PatchObject patch = OwnedTaintPatch(node, kOwner, kTaint, true);
  EXPECT_EQ(patch.form, PatchForm::ApplyUnforced);
  EXPECT_EQ(patch.field_manager, "plimsoll-node-taint-rule-r");
  EXPECT_EQ(patch.body,
            R"({"apiVersion":"v1","kind":"Node","spec":{"taints":[{"key":"k","value":"5",)"
            R"("effect":"NoExecute"}]},"metadata":{"name":"n1","uid":"u","annotations":)"
            R"({"taint-rule.plimsoll.io/r":"{\"key\":\"k\",\"value\":\"5\",\"effect\":)"
            R"(\"NoExecute\",\"time\":\"1970-01-01T00:00:01.500000Z\"}"}}})");
  EXPECT_EQ(OwnedTaintPatch(node, kOwner, std::nullopt, true).body,
            R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"n1","uid":"u"}})");
}

TEST(OwnedTaintTest, AMergeKeepsTheTaintsOfOthers) {
  const ObjectPtr node = NodeWith(
      kRecord,
      "{key: other, effect: NoSchedule, extra: 1}, {key: k, value: '5', effect: NoExecute}");
  const PatchObject patch =
      OwnedTaintPatch(node, kOwner, OwnedTaint{"9", "NoExecute", Instant(10s)}, false);
  EXPECT_EQ(patch.form, PatchForm::Merge);
  EXPECT_THAT(patch.body, HasSubstr(R"("resourceVersion":"7","uid":"u")"));
  EXPECT_THAT(patch.body, HasSubstr(R"("taints":[{"key":"other","effect":"NoSchedule"},)"
                                    R"({"key":"k","value":"9","effect":"NoExecute",)"
                                    R"("timeAdded":"1970-01-01T00:00:10Z"}])"));
  const PatchObject removal = OwnedTaintPatch(node, kOwner, std::nullopt, false);
  EXPECT_THAT(removal.body, HasSubstr(R"("taints":[{"key":"other","effect":"NoSchedule"}])"));
  EXPECT_THAT(removal.body, HasSubstr(R"("taint-rule.plimsoll.io/r":null)"));
}

TEST(OwnedTaintTest, AMergeRemovesNoValueThatAnotherHasSet) {
  const ObjectPtr node = NodeWith(kRecord, "{key: k, value: '8', effect: NoExecute}");
  EXPECT_THAT(OwnedTaintPatch(node, kOwner, std::nullopt, false).body, HasSubstr(R"("value":"8")"));
}

TEST(OwnedTaintTest, AMergeReplacesATaintOfAnotherEffect) {
  const ObjectPtr node = NodeWith(kRecord, "{key: k, value: '5', effect: NoExecute}");
  const PatchObject patch =
      OwnedTaintPatch(node, kOwner, OwnedTaint{"5", "NoSchedule", Instant(10s)}, false);
  EXPECT_THAT(patch.body, HasSubstr(R"("taints":[{"key":"k","value":"5","effect":"NoSchedule"}])"));
}

TEST(OwnedTaintTest, AnOwnerIsFreeToChangeOnlyItsOwnTaint) {
  EXPECT_TRUE(IsFreeFor(*NodeWith(""), kOwner, "NoExecute"));
  EXPECT_TRUE(IsFreeFor(*NodeWith("", "{key: k, effect: NoSchedule}"), kOwner, "NoExecute"));
  EXPECT_FALSE(IsFreeFor(*NodeWith("", "{key: k, effect: NoExecute}"), kOwner, "NoExecute"));
  EXPECT_TRUE(IsFreeFor(*NodeWith(kRecord, "{key: k, value: '5', effect: NoExecute}"), kOwner,
                        "NoExecute"));
  EXPECT_FALSE(IsFreeFor(*NodeWith(kRecord, "{key: k, value: '8', effect: NoExecute}"), kOwner,
                         "NoExecute"));
}

TEST(OwnedTaintTest, FindsTheOtherRule) {
  const ObjectPtr node = NodeWith(kRecord);
  EXPECT_EQ(OtherOwnerOf(*node, {.rule = "s", .key = "k"}, "NoExecute"), "r");
  EXPECT_EQ(OtherOwnerOf(*node, {.rule = "s", .key = "k"}, "NoSchedule"), "");
  EXPECT_EQ(OtherOwnerOf(*node, {.rule = "s", .key = "j"}, "NoExecute"), "");
  EXPECT_EQ(OtherOwnerOf(*node, kOwner, "NoExecute"), "");
}

TEST(OwnedTaintTest, ARecordIsRemovedAlone) {
  const PatchObject patch = RecordRemoval(NodeWith(kRecord), kOwner);
  EXPECT_EQ(patch.body,
            R"({"metadata":{"uid":"u","annotations":{"taint-rule.plimsoll.io/r":null}}})");
}

}  // namespace
}  // namespace plimsoll::controller
