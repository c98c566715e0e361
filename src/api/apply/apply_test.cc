#include "api/apply/apply.h"

#include <gtest/gtest.h>

#include "api/apply/apply_for_test.h"
#include "base/go_text.h"

namespace plimsoll::api {
namespace {

class ApplyTest : public testing::Test, protected ApplyForTest {};

std::string ConfigMap(const std::string& data) {
  return R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"},"data":)" + data + "}";
}

std::string Deployment(const std::string& spec) {
  return R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d","namespace":"n"},"spec":)" +
         spec + "}";
}

std::string Containers(const std::string& containers) {
  return Deployment(R"({"template":{"spec":{"containers":)" + containers + "}}}");
}

/// Returns the object without its managedFields.
std::string Bare(std::string object) {
  const std::size_t from = object.find(",\"managedFields\":");
  if (from == std::string::npos) return object;
  // The list is the last member of metadata.
  const std::size_t to = object.find("]}", from);
  std::size_t end = to;
  for (std::size_t next = to; next != std::string::npos; next = object.find("}}]", next + 1)) {
    end = next;
  }
  return object.substr(0, from) + object.substr(object.find(']', end) + 1);
}

TEST_F(ApplyTest, ToNothingCreates) {
  const std::string made = Apply("", ConfigMap(R"({"a":"1"})"), Writer("one", "ConfigMap"));
  EXPECT_EQ(Bare(made), ConfigMap(R"({"a":"1"})"));
  EXPECT_EQ(Owners(made), "one Apply now {\"f:data\":{\"f:a\":{}}}\n");
}

TEST_F(ApplyTest, TakesAwayWhatWasAppliedBefore) {
  const FieldWriter one = Writer("one", "ConfigMap");
  const std::string first = Apply("", ConfigMap(R"({"a":"1","b":"2"})"), one);
  const std::string second = Apply(first, ConfigMap(R"({"b":"3"})"), one);
  EXPECT_EQ(Bare(second), ConfigMap(R"({"b":"3"})"));
  EXPECT_EQ(Owners(second), "one Apply now {\"f:data\":{\"f:b\":{}}}\n");
  const std::string third =
      Apply(second, R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"}})", one);
  EXPECT_EQ(third, R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"}})");
}

TEST_F(ApplyTest, WhatOthersHaveStays) {
  const std::string first =
      Apply("", ConfigMap(R"({"a":"1","b":"2"})"), Writer("one", "ConfigMap"));
  const std::string shared =
      Apply(first, ConfigMap(R"({"b":"2","c":"3"})"), Writer("two", "ConfigMap"));
  EXPECT_EQ(Owners(shared),
            "one Apply now {\"f:data\":{\"f:a\":{},\"f:b\":{}}}\n"
            "two Apply now {\"f:data\":{\"f:b\":{},\"f:c\":{}}}\n");
  const std::string left = Apply(shared, ConfigMap("{}"), Writer("one", "ConfigMap"));
  EXPECT_EQ(Bare(left), ConfigMap(R"({"b":"2","c":"3"})"));
  EXPECT_EQ(Owners(left),
            "one Apply now {\"f:data\":{}}\n"
            "two Apply now {\"f:data\":{\"f:b\":{},\"f:c\":{}}}\n");
}

TEST_F(ApplyTest, ConflictsAreNamed) {
  const std::string live = Update(
      "",
      R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","uid":"u"},"data":{"a":"1","b":"2"}})",
      Writer("kubectl-create", "ConfigMap"));
  const auto one = TryApply(live, ConfigMap(R"({"a":"9","b":"2"})"), Writer("x", "ConfigMap"));
  ASSERT_EQ(one->conflicts.size(), 1u);
  EXPECT_EQ(one->conflict_message,
            "Apply failed with 1 conflict: conflict with \"kubectl-create\" using v1: .data.a");
  EXPECT_EQ(one->conflicts[0].field, ".data.a");
  EXPECT_EQ(one->conflicts[0].message, "conflict with \"kubectl-create\" using v1");
  EXPECT_EQ(Apply(live, ConfigMap(R"({"a":"9","b":"8"})"), Writer("x", "ConfigMap")),
            "Apply failed with 2 conflicts: conflicts with \"kubectl-create\" using v1:\n"
            "- .data.a\n- .data.b");
}

TEST_F(ApplyTest, ConflictsOfSeveralManagersAreGrouped) {
  const std::string first =
      Apply("", ConfigMap(R"({"a":"1","b":"2"})"), Writer("two", "ConfigMap"));
  const std::string both = Apply(first, ConfigMap(R"({"b":"2"})"), Writer("one", "ConfigMap"));
  EXPECT_EQ(Apply(both, ConfigMap(R"({"a":"9","b":"9"})"), Writer("x", "ConfigMap")),
            "Apply failed with 3 conflicts: conflicts with \"one\":\n- .data.b\n"
            "conflicts with \"two\":\n- .data.a\n- .data.b");
}

TEST_F(ApplyTest, ForceTakesOwnership) {
  const std::string first =
      Apply("", ConfigMap(R"({"a":"1","b":"2"})"), Writer("one", "ConfigMap"));
  const std::string forced =
      Apply(first, ConfigMap(R"({"a":"9"})"), Writer("two", "ConfigMap"), true);
  EXPECT_EQ(Bare(forced), ConfigMap(R"({"a":"9","b":"2"})"));
  EXPECT_EQ(Owners(forced),
            "one Apply now {\"f:data\":{\"f:b\":{}}}\n"
            "two Apply now {\"f:data\":{\"f:a\":{}}}\n");
}

TEST_F(ApplyTest, ListsMergeByTheirKeys) {
  const FieldWriter one = Writer("one", "Deployment");
  const std::string first = Apply("", Containers(R"([{"name":"a","image":"1"}])"), one);
  const std::string second =
      Apply(first, Containers(R"([{"name":"b","image":"2","ports":[{"containerPort":80}]}])"),
            Writer("two", "Deployment"));
  EXPECT_EQ(
      Bare(second),
      Containers(
          R"([{"name":"a","image":"1"},{"name":"b","image":"2","ports":[{"containerPort":80}]}])"));
  // The protocol is part of the key, with its default.
  EXPECT_NE(Owners(second).find(R"(k:{\"containerPort\":80,\"protocol\":\"TCP\"})"),
            std::string::npos);
  const std::string third = Apply(second, Containers(R"([{"name":"a"}])"), one);
  EXPECT_EQ(
      Bare(third),
      Containers(R"([{"name":"a"},{"name":"b","image":"2","ports":[{"containerPort":80}]}])"));
}

TEST_F(ApplyTest, AnElementThatNobodyElseHasGoes) {
  const FieldWriter one = Writer("one", "Deployment");
  const std::string first =
      Apply("", Containers(R"([{"name":"a","image":"1"},{"name":"b","image":"2"}])"), one);
  EXPECT_EQ(Bare(Apply(first, Containers(R"([{"name":"b","image":"2"}])"), one)),
            Containers(R"([{"name":"b","image":"2"}])"));
}

TEST_F(ApplyTest, ElementsStandAsTheConfigurationHasThem) {
  const std::string live = Update("", Containers(R"([{"name":"a"},{"name":"x"},{"name":"b"}])"),
                                  Writer("m", "Deployment"));
  EXPECT_EQ(Bare(Apply(live, Containers(R"([{"name":"b"},{"name":"n"},{"name":"a"}])"),
                       Writer("one", "Deployment"))),
            Containers(R"([{"name":"x"},{"name":"b"},{"name":"n"},{"name":"a"}])"));
}

TEST_F(ApplyTest, AtomicListsAreReplacedAndContested) {
  const std::string pod =
      R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"tolerations":[{"key":"a"}]}})";
  const std::string other =
      R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"tolerations":[{"key":"b"}]}})";
  const std::string live = Apply("", pod, Writer("one"));
  EXPECT_EQ(Apply(live, other, Writer("two")),
            "Apply failed with 1 conflict: conflict with \"one\": .spec.tolerations");
  EXPECT_EQ(Bare(Apply(live, other, Writer("two"), true)), other);
}

TEST_F(ApplyTest, SetsGrow) {
  const auto with = [](const std::string& finalizers) {
    return R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","finalizers":)" +
           finalizers + "}}";
  };
  const std::string first = Apply("", with(R"(["a/x"])"), Writer("one", "ConfigMap"));
  const std::string second = Apply(first, with(R"(["b/y"])"), Writer("two", "ConfigMap"));
  EXPECT_EQ(Bare(second), with(R"(["a/x","b/y"])"));
  EXPECT_EQ(Owners(second),
            "one Apply now {\"f:metadata\":{\"f:finalizers\":{\"v:\\\"a/x\\\"\":{}}}}\n"
            "two Apply now {\"f:metadata\":{\"f:finalizers\":{\"v:\\\"b/y\\\"\":{}}}}\n");
}

TEST_F(ApplyTest, TheSameAgainChangesNothing) {
  std::string live = Apply("", ConfigMap(R"({"a":"1"})"), Writer("one", "ConfigMap"));
  live.replace(live.find(kNowText), kNowText.size(), "2020-01-01T00:00:00Z");
  const auto again = TryApply(live, ConfigMap(R"({"a":"1"})"), Writer("one", "ConfigMap"));
  EXPECT_TRUE(again->is_unchanged);
  EXPECT_EQ(codec::WriteJson(again->object), live);
  // Becoming a second owner does not change the object either, and sets no time.
  const auto joined = TryApply(live, ConfigMap(R"({"a":"1"})"), Writer("two", "ConfigMap"));
  EXPECT_TRUE(joined->is_unchanged);
  EXPECT_EQ(Owners(codec::WriteJson(joined->object)),
            "two Apply {\"f:data\":{\"f:a\":{}}}\n"
            "one Apply 2020-01-01T00:00:00Z {\"f:data\":{\"f:a\":{}}}\n");
}

TEST_F(ApplyTest, WhoWroteBeforeAnybodyKeptTrackIsOneManager) {
  const std::string live =
      R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","uid":"u"},"data":{"a":"1"}})";
  EXPECT_EQ(Apply(live, ConfigMap(R"({"a":"2"})"), Writer("x", "ConfigMap")),
            "Apply failed with 1 conflict: conflict with \"before-first-apply\" using v1: .data.a");
  EXPECT_EQ(Owners(Apply(live, ConfigMap(R"({"b":"2"})"), Writer("x", "ConfigMap"))),
            "x Apply now {\"f:data\":{\"f:b\":{}}}\n"
            "before-first-apply Update now {\"f:data\":{\".\":{},\"f:a\":{}}}\n");
}

TEST_F(ApplyTest, AStatusIsAppliedThroughItsSubresource) {
  const std::string live = Update(
      "",
      R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","uid":"u"},"spec":{"nodeName":"n"}})",
      Writer("m"));
  const std::string config =
      R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"nodeName":"n"},"status":{"phase":"Running"}})";
  EXPECT_EQ(Owners(Apply(live, config, Writer("kubelet", "Pod", "status"))),
            "kubelet Apply status now {\"f:status\":{\"f:phase\":{}}}\n"
            "m Update now {\"f:spec\":{\"f:nodeName\":{}}}\n");
}

TEST_F(ApplyTest, TheStatusOfADeploymentOwnsNoLabels) {
  const std::string live = Update("", Deployment(R"({"replicas":1})"), Writer("m", "Deployment"));
  const std::string config =
      R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d","namespace":"n","labels":{"a":"1"}},"status":{"replicas":1}})";
  EXPECT_EQ(Owners(Apply(live, config, Writer("x", "Deployment", "status"))),
            "x Apply status now {\"f:status\":{\"f:replicas\":{}}}\n"
            "m Update now {\"f:spec\":{\"f:replicas\":{}}}\n");
}

TEST_F(ApplyTest, KubectlTakesOverFromItsOwnSide) {
  const std::string applied =
      R"({\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"c\"},\"data\":{\"a\":\"1\"}})";
  const std::string live = Update(
      "",
      R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","uid":"u","annotations":{"kubectl.kubernetes.io/last-applied-configuration":")" +
          applied + R"("}},"data":{"a":"1","b":"2"}})",
      Writer("kubectl-client-side-apply", "ConfigMap"));
  // It may change the fields that it applied itself; it never mentioned b.
  EXPECT_EQ(Apply(live, ConfigMap(R"({"a":"9","b":"9"})"), Writer("kubectl", "ConfigMap")),
            "Apply failed with 1 conflict: conflict with \"kubectl-client-side-apply\" using v1: "
            ".data.b");
  const std::string taken = Apply(live, ConfigMap(R"({"a":"9"})"), Writer("kubectl", "ConfigMap"));
  EXPECT_NE(
      taken.find(
          R"("{\"apiVersion\":\"v1\",\"data\":{\"a\":\"9\"},\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"c\"}}\n")"),
      std::string::npos)
      << taken;
  // Other managers get a conflict.
  EXPECT_TRUE(Apply(live, ConfigMap(R"({"a":"9"})"), Writer("x", "ConfigMap"))
                  .starts_with("Apply failed with 1 conflict"));
}

/// Returns the configuration as it is after client-side apply: `stored` with the annotation, owned
/// by kubectl-client-side-apply.
std::string ClientSideApplied(ApplyForTest& test, const std::string& config, std::string stored,
                              const FieldWriter& writer) {
  const std::string annotations =
      R"("annotations":{"kubectl.kubernetes.io/last-applied-configuration":)" +
      GoJsonQuote(config) + "},";
  const std::string_view metadata = R"("metadata":{)";
  stored.insert(stored.find(metadata) + metadata.size(), annotations);
  return test.Update("", stored, writer);
}

TEST_F(ApplyTest, KubectlTakesOverAtomicFieldsWithDefaults) {
  struct Case {
    std::string name;
    std::string kind;
    std::string config;
    std::string stored;
    std::string other;  // the configuration with another value of the atomic field
    std::string field;
  };
  const auto with_env = [](const std::string& source) {
    return Containers(R"([{"name":"a","env":[{"name":"E","valueFrom":)" + source + "}]}]");
  };
  const auto with_claims = [](const std::string& claims) {
    return R"({"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"s","namespace":"n"},"spec":{"volumeClaimTemplates":)" +
           claims + "}}";
  };
  const std::vector<Case> cases = {
      {"fieldRef", "Deployment", with_env(R"({"fieldRef":{"fieldPath":"metadata.name"}})"),
       with_env(R"({"fieldRef":{"apiVersion":"v1","fieldPath":"metadata.name"}})"),
       with_env(R"({"fieldRef":{"apiVersion":"v1","fieldPath":"metadata.uid"}})"),
       R"(.spec.template.spec.containers[name="a"].env[name="E"].valueFrom.fieldRef)"},
      {"volumeClaimTemplates", "StatefulSet",
       with_claims(
           R"([{"metadata":{"name":"c"},"spec":{"resources":{"requests":{"storage":"1024Mi"}}}}])"),
       with_claims(
           R"([{"metadata":{"name":"c"},"spec":{"resources":{"requests":{"storage":"1Gi"}},"volumeMode":"Filesystem"},"status":{"phase":"Pending"}}])"),
       with_claims(
           R"([{"metadata":{"name":"c"},"spec":{"resources":{"requests":{"storage":"2Gi"}},"volumeMode":"Filesystem"},"status":{"phase":"Pending"}}])"),
       ".spec.volumeClaimTemplates"},
  };
  for (const Case& test : cases) {
    SCOPED_TRACE(test.name);
    const FieldWriter kubectl = Writer("kubectl", test.kind);
    const FieldWriter client_side = Writer("kubectl-client-side-apply", test.kind);
    const std::string live = ClientSideApplied(*this, test.config, test.stored, client_side);
    const auto same = TryApply(live, test.config, kubectl);
    ASSERT_TRUE(same.has_value());
    EXPECT_EQ(same->conflict_message, "");
    // kubectl owns the field now, and the client-side manager no longer does.
    const std::string owners = Owners(codec::WriteJson(same->object));
    const std::string leaf = "\"f:" + test.field.substr(test.field.rfind('.') + 1) + "\":{}";
    EXPECT_NE(owners.find(leaf), std::string::npos) << owners;
    EXPECT_EQ(owners.find(leaf), owners.rfind(leaf)) << owners;
    EXPECT_LT(owners.find("kubectl Apply"), owners.find(leaf)) << owners;

    // A manager of another name gets the conflict.
    const std::string text = "Apply failed with 1 conflict: conflict with ";
    EXPECT_EQ(TryApply(live, test.config, Writer("x", test.kind))->conflict_message,
              text + "\"kubectl-client-side-apply\" using apps/v1: " + test.field);
    // A value that another manager has set since is not kubectl's.
    const std::string changed =
        Update(live, ClientSideApplied(*this, test.config, test.other, client_side),
               Writer("editor", test.kind));
    EXPECT_EQ(TryApply(changed, test.config, kubectl)->conflict_message,
              text + "\"editor\" using apps/v1: " + test.field);
  }
}

TEST_F(ApplyTest, RefusesWhatCannotBeApplied) {
  const FieldWriter writer = Writer("one", "Deployment");
  struct Case {
    std::string config;
    Reason reason;
    std::string want;
  };
  const std::vector<Case> cases = {
      {R"({"apiVersion":"apps/v2"})", Reason::BadRequest,
       "Incorrect version specified in apply patch. Specified patch version: apps/v2, expected: "
       "apps/v1"},
      {R"({"apiVersion":"apps/v1","kind":"Pod","metadata":{"name":"d","namespace":"n"}})",
       Reason::InternalError,
       "failed to create typed patch object (n/d; apps/v1, Kind=Deployment): no corresponding type "
       "for apps/v1, Kind=Pod"},
      {R"({"apiVersion":"apps/v1","metadata":{"managedFields":[]}})", Reason::BadRequest,
       "metadata.managedFields must be nil"},
      {Deployment(R"({"foo":1})"), Reason::InternalError,
       "failed to create typed patch object (n/d; apps/v1, Kind=Deployment): .spec.foo: field not "
       "declared in schema"},
      {Containers(R"([{"name":"a"},{"name":"a"}])"), Reason::InternalError,
       "failed to create typed patch object (n/d; apps/v1, Kind=Deployment): "
       ".spec.template.spec.containers: duplicate entries for key [name=\"a\"]"},
      {Containers(R"(["a",{"bar":1}])"), Reason::InternalError,
       "failed to create typed patch object (n/d; apps/v1, Kind=Deployment): errors:\n"
       "  .spec.template.spec.containers: element 0: associative list with keys may not have "
       "non-map elements\n"
       "  .spec.template.spec.containers[name=\"\"].bar: field not declared in schema"},
  };
  for (const Case& test : cases) {
    const auto result = TryApply("", test.config, writer);
    ASSERT_FALSE(result.has_value()) << test.config;
    EXPECT_EQ(result.error().message, test.want);
    EXPECT_EQ(result.error().reason, test.reason);
  }
}

}  // namespace
}  // namespace plimsoll::api
