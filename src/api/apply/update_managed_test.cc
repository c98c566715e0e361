#include "api/apply/update_managed.h"

#include <gtest/gtest.h>

#include "api/apply/apply_for_test.h"

namespace plimsoll::api {
namespace {

class UpdateManagedFieldsTest : public testing::Test, protected ApplyForTest {};

TEST_F(UpdateManagedFieldsTest, ACreatorOwnsAllThatItWrote) {
  const std::string pod =
      R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"n","uid":"u","labels":{"app":"a"},"finalizers":["x/y"]},)"
      R"("spec":{"containers":[{"name":"c","image":"i","ports":[{"containerPort":80,"protocol":"TCP"}],"env":[{"name":"A","value":"1"}],"resources":{}}],)"
      R"("tolerations":[{"key":"k"}],"nodeSelector":{"d":"x"},"volumes":[{"name":"v","emptyDir":{}}]}})";
  EXPECT_EQ(
      Owners(Update("", pod, Writer("kubectl-create"))),
      R"(kubectl-create Update now {"f:metadata":{"f:finalizers":{".":{},"v:\"x/y\"":{}},"f:labels":{".":{},"f:app":{}}},)"
      R"("f:spec":{"f:containers":{"k:{\"name\":\"c\"}":{".":{},"f:env":{".":{},"k:{\"name\":\"A\"}":{".":{},"f:name":{},"f:value":{}}},"f:image":{},"f:name":{},)"
      R"("f:ports":{".":{},"k:{\"containerPort\":80,\"protocol\":\"TCP\"}":{".":{},"f:containerPort":{},"f:protocol":{}}},"f:resources":{}}},)"
      R"("f:nodeSelector":{},"f:tolerations":{},"f:volumes":{".":{},"k:{\"name\":\"v\"}":{".":{},"f:emptyDir":{},"f:name":{}}}}})"
      "\n");
}

TEST_F(UpdateManagedFieldsTest, StructsThatGoHoldsByValueWereThereAllAlong) {
  const std::string deployment =
      R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d"},"spec":{"replicas":1,"selector":{"matchLabels":{"a":"b"}},)"
      R"("strategy":{"type":"RollingUpdate","rollingUpdate":{"maxSurge":"25%"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"securityContext":{}}}}})";
  EXPECT_EQ(
      Owners(Update("", deployment, Writer("m", "Deployment"))),
      R"(m Update now {"f:spec":{"f:replicas":{},"f:selector":{},"f:strategy":{"f:rollingUpdate":{".":{},"f:maxSurge":{}},"f:type":{}},)"
      R"("f:template":{"f:metadata":{"f:labels":{".":{},"f:a":{}}},"f:spec":{"f:securityContext":{}}}}})"
      "\n");
}

TEST_F(UpdateManagedFieldsTest, AnotherManagerTakesWhatItChanges) {
  const std::string first =
      Update("", R"({"metadata":{"name":"c","uid":"u"},"data":{"a":"1","b":"2","c":"3"}})",
             Writer("one", "ConfigMap"));
  std::string second = first;
  // b changes, c is removed, d is added.
  second.replace(second.find(R"("b":"2","c":"3")"), 15, R"("b":"9","d":"4")");
  EXPECT_EQ(Owners(Update(first, second, Writer("two", "ConfigMap"))),
            "one Update now {\"f:data\":{\".\":{},\"f:a\":{}}}\n"
            "two Update now {\"f:data\":{\"f:b\":{},\"f:d\":{}}}\n");
}

TEST_F(UpdateManagedFieldsTest, TheSameManagerKeepsWhatItHad) {
  const std::string first = Update("", R"({"metadata":{"name":"c","uid":"u"},"data":{"a":"1"}})",
                                   Writer("one", "ConfigMap"));
  const std::string second = R"({"metadata":{"name":"c","uid":"u"},"data":{"a":"1","b":"2"}})";
  EXPECT_EQ(Owners(Update(first, second, Writer("one", "ConfigMap"))),
            "one Update now {\"f:data\":{\".\":{},\"f:a\":{},\"f:b\":{}}}\n");
}

TEST_F(UpdateManagedFieldsTest, TimesMoveOnlyWithAChange) {
  const std::string live =
      R"({"metadata":{"name":"c","uid":"u","managedFields":[{"manager":"m","operation":"Update","apiVersion":"v1","time":"2020-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:data":{".":{},"f:a":{}}}}]},"data":{"a":"1"}})";
  EXPECT_EQ(Update(live, live, Writer("m", "ConfigMap")), live);
  const std::string other = R"({"metadata":{"name":"c","uid":"u"},"data":{"a":"2"}})";
  EXPECT_EQ(Owners(Update(live, other, Writer("m", "ConfigMap"))),
            "m Update now {\"f:data\":{\".\":{},\"f:a\":{}}}\n");
}

TEST_F(UpdateManagedFieldsTest, TheStatusIsItsOwnersAlone) {
  const std::string live = Update(
      "",
      R"({"metadata":{"name":"p","uid":"u"},"spec":{"nodeName":"n"},"status":{"phase":"Pending"}})",
      Writer("creator"));
  EXPECT_EQ(Owners(live), "creator Update now {\"f:spec\":{\"f:nodeName\":{}}}\n");
  const std::string ready =
      R"({"metadata":{"name":"p","uid":"u"},"spec":{"nodeName":"other"},"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}})";
  EXPECT_EQ(Owners(Update(live, ready, Writer("kubelet", "Pod", "status"))),
            "creator Update now {\"f:spec\":{\"f:nodeName\":{}}}\n"
            "kubelet Update status now {\"f:status\":{\"f:conditions\":{\".\":{},"
            "\"k:{\\\"type\\\":\\\"Ready\\\"}\":{\".\":{},\"f:status\":{},\"f:type\":{}}},"
            "\"f:phase\":{}}}\n");
}

TEST_F(UpdateManagedFieldsTest, ClientsCanClearThem) {
  const std::string live = Update("", R"({"metadata":{"name":"c","uid":"u"},"data":{"a":"1"}})",
                                  Writer("m", "ConfigMap"));
  for (const std::string list : {"[]", "[{}]"}) {
    const std::string cleared =
        R"({"metadata":{"name":"c","uid":"u","managedFields":)" + list + R"(},"data":{"a":"2"}})";
    EXPECT_EQ(Owners(Update(live, cleared, Writer("m", "ConfigMap"))), "") << list;
  }
  // The object stays untracked until somebody applies to it.
  const std::string untracked = R"({"metadata":{"name":"c","uid":"u"},"data":{"a":"1"}})";
  EXPECT_EQ(Owners(Update(untracked, untracked, Writer("m", "ConfigMap"))), "");
}

TEST_F(UpdateManagedFieldsTest, ClientsCanHandThemOver) {
  const std::string live = Update("", R"({"metadata":{"name":"c","uid":"u"},"data":{"a":"1"}})",
                                  Writer("m", "ConfigMap"));
  std::string renamed = live;
  renamed.replace(renamed.find("\"manager\":\"m\""), 13, "\"manager\":\"x\"");
  EXPECT_EQ(Owners(Update(live, renamed, Writer("m", "ConfigMap"))),
            "x Update now {\"f:data\":{\".\":{},\"f:a\":{}}}\n");
  // Malformed entries count as missing.
  std::string broken = live;
  broken.replace(broken.find("FieldsV1"), 8, "FieldsV9");
  EXPECT_EQ(Owners(Update(live, broken, Writer("m", "ConfigMap"))), Owners(live));
}

TEST_F(UpdateManagedFieldsTest, ManagersOfVersionsThatAreGoneAreForgotten) {
  const std::string live =
      R"({"metadata":{"name":"c","uid":"u","managedFields":[{"manager":"m","operation":"Update","apiVersion":"v0","fieldsType":"FieldsV1","fieldsV1":{"f:data":{}}}]},"data":{"a":"1"}})";
  EXPECT_EQ(Owners(Update(live, live, Writer("m", "ConfigMap"))), "");
}

}  // namespace
}  // namespace plimsoll::api
