#include "api/apply/taint_ownership.h"

#include <gtest/gtest.h>

#include "api/apply/apply_for_test.h"
#include "api/schema/fields.h"

namespace plimsoll::api {
namespace {

const std::string kA = R"({"key":"a","effect":"NoSchedule"})";
const std::string kA2 = R"({"key":"a","effect":"NoSchedule","value":"2"})";
const std::string kAExecute = R"({"key":"a","effect":"NoExecute"})";
const std::string kB = R"({"key":"b","effect":"NoSchedule"})";

/// Path of a taint in fieldsV1, as text within JSON.
std::string Key(const std::string& key, const std::string& effect) {
  return R"("k:{\"effect\":\")" + effect + R"(\",\"key\":\")" + key + R"(\"}")";
}
const std::string kOwnedA = Key("a", "NoSchedule") + R"(:{".":{},"f:effect":{},"f:key":{}})";
const std::string kOwnedB = Key("b", "NoSchedule") + R"(:{".":{},"f:effect":{},"f:key":{}})";

std::string NodeWith(const std::string& taints, const std::string& metadata = "") {
  return R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"n")" + metadata +
         R"(},"spec":{"taints":[)" + taints + "]}}";
}

/// A stored Node of which `manager` owns all taints as one list.
std::string NodeOfOneOwner(const std::string& taints, const std::string& manager,
                           const std::string& operation) {
  return NodeWith(taints, R"(,"uid":"u","managedFields":[{"manager":")" + manager +
                              R"(","operation":")" + operation +
                              R"(","apiVersion":"v1","time":"2020-01-01T00:00:00Z",)"
                              R"("fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:taints":{}}}}])");
}

class TaintOwnershipTest : public testing::Test, protected ApplyForTest {
 protected:
  static FieldWriter NodeWriter(std::string_view manager, bool owns_single_taints = true) {
    FieldWriter writer = Writer(manager, "Node");
    writer.owns_single_taints = owns_single_taints;
    return writer;
  }
  std::string Taints(const std::string& node) {
    const codec::Value* const spec = Parse(node).Find("spec");
    const codec::Value* const taints = spec == nullptr ? nullptr : spec->Find("taints");
    return taints == nullptr ? "none" : codec::WriteJson(*taints);
  }
};

TEST_F(TaintOwnershipTest, ManagersOwnSingleTaints) {
  const std::string one = Apply("", NodeWith(kA), NodeWriter("one"));
  const std::string both = Apply(one, NodeWith(kB), NodeWriter("two"));
  EXPECT_EQ(Taints(both), "[" + kA + "," + kB + "]");
  EXPECT_EQ(Owners(both), "one Apply now {\"f:spec\":{\"f:taints\":{" + kOwnedA + "}}}\n" +
                              "two Apply now {\"f:spec\":{\"f:taints\":{" + kOwnedB + "}}}\n");
  EXPECT_EQ(Apply(both, NodeWith(kA2), NodeWriter("one")).find("conflict"), std::string::npos);
  // Key and effect together make a taint.
  EXPECT_EQ(Taints(Apply(both, NodeWith(kA + "," + kAExecute), NodeWriter("two"))),
            "[" + kA + "," + kAExecute + "]");

  const std::string left = Apply(both, NodeWith(""), NodeWriter("one"));
  EXPECT_EQ(Taints(left), "[" + kB + "]");
}

TEST_F(TaintOwnershipTest, AnotherValueOfATaintConflicts) {
  const std::string live = Apply("", NodeWith(kA2), NodeWriter("one"));
  const std::string other = R"({"key":"a","effect":"NoSchedule","value":"3"})";
  EXPECT_EQ(Apply(live, NodeWith(other), NodeWriter("two")),
            "Apply failed with 1 conflict: conflict with \"one\": "
            ".spec.taints[effect=\"NoSchedule\",key=\"a\"].value");
  EXPECT_EQ(Taints(Apply(live, NodeWith(other), NodeWriter("two"), true)), "[" + other + "]");
}

TEST_F(TaintOwnershipTest, ARemovedTaintGoesWithTheFieldsThatNobodyOwns) {
  const std::string timed =
      R"({"key":"a","effect":"NoExecute","timeAdded":"2024-01-01T00:00:00Z"})";
  const std::string live =
      NodeWith(timed, R"(,"uid":"u","managedFields":[{"manager":"one","operation":"Apply",)"
                      R"("apiVersion":"v1","time":"2020-01-01T00:00:00Z","fieldsType":"FieldsV1",)"
                      R"("fieldsV1":{"f:spec":{"f:taints":{)" +
                          Key("a", "NoExecute") + R"(:{".":{},"f:effect":{},"f:key":{}}}}}}])");
  EXPECT_EQ(Taints(Apply(live, NodeWith(kB), NodeWriter("one"))), "[" + kB + "]");
}

TEST_F(TaintOwnershipTest, EqualTaintsInAConfigurationAreRefused) {
  const auto result = TryApply("", NodeWith(kA + "," + kA2), NodeWriter("one"));
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().message,
            "failed to create typed patch object (/n; /v1, Kind=Node): .spec.taints: duplicate "
            "entries for key [effect=\"NoSchedule\",key=\"a\"]");
}

TEST_F(TaintOwnershipTest, AnUpdateTakesTheTaintsThatItChanges) {
  const std::string live = Apply("", NodeWith(kA + "," + kB), NodeWriter("one"));
  // `kubectl taint` sends the whole list.
  const std::string tainted =
      Update(live, NodeWith(kA + "," + kB + "," + kAExecute, R"(,"uid":"u")"), NodeWriter("k"));
  EXPECT_EQ(Owners(tainted), "one Apply now {\"f:spec\":{\"f:taints\":{" + kOwnedA + "," + kOwnedB +
                                 "}}}\n" + "k Update now {\"f:spec\":{\"f:taints\":{" +
                                 Key("a", "NoExecute") +
                                 ":{\".\":{},\"f:effect\":{},\"f:key\":{}}}}}\n");
  const std::string untainted = Update(tainted, NodeWith(kB, R"(,"uid":"u")"), NodeWriter("k"));
  EXPECT_EQ(Owners(untainted), "one Apply now {\"f:spec\":{\"f:taints\":{" + kOwnedB + "}}}\n");
}

TEST_F(TaintOwnershipTest, AnOwnerOfTheAtomicListOwnsItsTaints) {
  const std::string applied = NodeOfOneOwner(kA + "," + kB, "old", "Apply");
  const std::string both = Apply(applied, NodeWith(kB), NodeWriter("two"));
  EXPECT_EQ(Owners(both), "two Apply {\"f:spec\":{\"f:taints\":{" + kOwnedB + "}}}\n" +
                              "old Apply 2020-01-01T00:00:00Z {\"f:spec\":{\"f:taints\":{" +
                              kOwnedA + "," + kOwnedB + "}}}\n");
  // The owner takes its own away, and what another manager owns too stays.
  EXPECT_EQ(Taints(Apply(both, NodeWith(""), NodeWriter("old"))), "[" + kB + "]");
  EXPECT_EQ(Taints(Apply(applied, NodeWith(kB), NodeWriter("old"))), "[" + kB + "]");
  EXPECT_EQ(Apply(applied, NodeWith(kA2), NodeWriter("two")).find("conflict"), std::string::npos);

  const std::string updated = NodeOfOneOwner(kA2 + "," + kB, "old", "Update");
  EXPECT_EQ(Apply(updated, NodeWith(R"({"key":"a","effect":"NoSchedule","value":"3"})"),
                  NodeWriter("two")),
            "Apply failed with 1 conflict: conflict with \"old\" using v1: "
            ".spec.taints[effect=\"NoSchedule\",key=\"a\"].value");
  const std::string fewer = Update(updated, NodeWith(kB, R"(,"uid":"u")"), NodeWriter("k"));
  EXPECT_EQ(Owners(fewer), "old Update 2020-01-01T00:00:00Z {\"f:spec\":{\"f:taints\":{\".\":{}," +
                               kOwnedB + "}}}\n");
}

TEST_F(TaintOwnershipTest, AnOwnerOfTheListGetsNoTaintOfOthers) {
  std::string live = Update("", NodeWith(kA, R"(,"uid":"u")"), NodeWriter("first"));
  live = Apply(live, NodeWith(kB), NodeWriter("two"));
  live = Update(live, NodeWith(kB, R"(,"uid":"u")"), NodeWriter("k"));
  // The list itself is left to its creator, which is written as the atomic list was.
  const std::string owners = "two Apply now {\"f:spec\":{\"f:taints\":{" + kOwnedB + "}}}\n" +
                             "first Update now {\"f:spec\":{\"f:taints\":{}}}\n";
  EXPECT_EQ(Owners(live), owners);
  EXPECT_EQ(Owners(Update(live, NodeWith(kB, R"(,"uid":"u")"), NodeWriter("k"))), owners);
}

TEST_F(TaintOwnershipTest, WithoutTheGateTheListIsAtomic) {
  const std::string live = Apply("", NodeWith(kA), NodeWriter("one", false));
  EXPECT_EQ(Owners(live), "one Apply now {\"f:spec\":{\"f:taints\":{}}}\n");
  EXPECT_EQ(Apply(live, NodeWith(kB), NodeWriter("two", false)),
            "Apply failed with 1 conflict: conflict with \"one\": .spec.taints");
  EXPECT_EQ(Taints(Apply("", NodeWith(kA + "," + kA2), NodeWriter("one", false))),
            "[" + kA + "," + kA2 + "]");
}

TEST_F(TaintOwnershipTest, WithoutTheGateOwnersOfTaintsOwnTheList) {
  std::string live = Apply("", NodeWith(kA), NodeWriter("one"));
  live = Apply(live, NodeWith(kB), NodeWriter("two"));
  EXPECT_EQ(Apply(live, NodeWith(kA), NodeWriter("three", false)),
            "Apply failed with 2 conflicts: conflicts with \"one\":\n- .spec.taints\n"
            "conflicts with \"two\":\n- .spec.taints");
  EXPECT_EQ(Owners(Update(live, NodeWith(kA, R"(,"uid":"u")"), NodeWriter("k", false))),
            "k Update now {\"f:spec\":{\"f:taints\":{}}}\n");
}

TEST_F(TaintOwnershipTest, OnlyNodesHaveAnotherType) {
  const TypeDesc& pod = Describe(fields::core_v1::PodSpec::kTypeId);
  EXPECT_EQ(&OwnedType(pod, false), &pod);
  const TypeDesc& spec = Describe(fields::core_v1::NodeSpec::kTypeId);
  EXPECT_EQ(&OwnedType(spec, true), &spec);
  const FieldDesc& taints = OwnedType(spec, false).fields[fields::core_v1::NodeSpec::kTaints];
  EXPECT_EQ(taints.list_type, ListType::Atomic);
  EXPECT_TRUE(taints.list_map_keys.empty());
}

}  // namespace
}  // namespace plimsoll::api
