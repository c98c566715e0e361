#include "apiserver/write/delete.h"

#include <gtest/gtest.h>

#include "apiserver/write/delete_options.h"
#include "apiserver/write/deletion_plan.h"
#include "apiserver/write/writer_for_test.h"

namespace plimsoll::apiserver {
namespace {

constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";

std::string Named(std::string_view name, std::string_view meta = "") {
  return R"({"metadata":{"name":")" + std::string(name) + "\"" + std::string(meta) + "}}";
}

TEST(DeleteTest, MostKindsAnswerWithAStatus) {
  WriterFixture server;
  const TestAnswer made = server.Post(kMaps, Named("a"));
  const TestAnswer gone = server.Delete(std::string(kMaps) + "/a");
  EXPECT_EQ(gone.code, 200);
  EXPECT_EQ(gone.body, R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success",)"
                       R"("details":{"name":"a","kind":"configmaps","uid":")" +
                           made.At("metadata", "uid") + "\"}}");
  EXPECT_EQ(server.Delete(std::string(kMaps) + "/a").message(), R"(configmaps "a" not found)");
}

/// Records the objects and rejects the deletion of some.
class DeleteGate final : public Admission {
 public:
  std::string_view Name() const override { return "DeleteGate"; }
  api::Answer<void> Admit(AdmissionAttributes& attributes) override {
    if (attributes.operation != Operation::Delete) return {};
    seen.push_back(attributes.before == nullptr ? "nothing"
                                                : std::string(attributes.before->metadata().name) +
                                                      "=" + std::string(attributes.name));
    if (attributes.name != "kept") return {};
    return std::unexpected(api::Forbidden({"", "configmaps", attributes.name}, "no"));
  }
  std::vector<std::string> seen;
};

TEST(DeleteTest, AdmissionIsAskedAboutTheStoredObject) {
  DeleteGate gate;
  WriterFixture server({&gate});
  server.Post(kMaps, Named("a"));
  server.Post(kMaps, Named("kept"));
  EXPECT_EQ(server.Delete(std::string(kMaps) + "/a").code, 200);
  EXPECT_EQ(server.Delete(std::string(kMaps) + "/kept").code, 403);
  EXPECT_EQ(server.Delete(std::string(kMaps) + "/none").code, 404);
  EXPECT_EQ(gate.seen, (std::vector<std::string>{"a=a", "kept=kept"}));
}

TEST(DeleteTest, AdmissionIsAskedAboutEachObjectOfACollection) {
  DeleteGate gate;
  WriterFixture server({&gate});
  server.Post(kMaps, Named("a"));
  server.Post(kMaps, Named("kept"));
  EXPECT_EQ(server.Delete(kMaps).message(), R"(configmaps "kept" is forbidden: no)");
  EXPECT_EQ(gate.seen, (std::vector<std::string>{"a=a", "kept=kept"}));
  EXPECT_NE(server.Stored("configmaps", "kept"), nullptr);
}

TEST(DeleteTest, AGenerationThatCannotGrowStays) {
  WriterFixture server;
  ASSERT_EQ(server
                .Post(kMaps, Named("a", R"(,"generation":9223372036854775807,)"
                                        R"("finalizers":["x.io/a"])"))
                .code,
            201);
  const TestAnswer marked = server.Delete(std::string(kMaps) + "/a");
  EXPECT_EQ(marked.code, 200) << marked.body;
  EXPECT_EQ(marked.At("metadata", "generation"), "9223372036854775807");
}

struct GraceCase {
  std::string name;
  std::string node;
  std::string status;
  std::string options;
  bool is_gone = false;
  std::string grace;
  std::string time;
};

class PodGraceTest : public testing::TestWithParam<GraceCase> {};

TEST_P(PodGraceTest, Is) {
  const GraceCase& test = GetParam();
  WriterFixture server;
  ASSERT_EQ(server.Post(kPods, PodJson("web", "", test.node)).code, 201);
  if (!test.status.empty()) {
    ASSERT_EQ(server.Put(PodTarget("web") + "/status", PodJson("web", "", "", test.status)).code,
              200);
  }
  const TestAnswer got = server.Delete(PodTarget("web"), test.options);
  EXPECT_EQ(got.code, 200) << got.body;
  EXPECT_EQ(got.At("kind"), "Pod");
  EXPECT_EQ(got.At("metadata", "deletionGracePeriodSeconds"), test.grace);
  EXPECT_EQ(got.At("metadata", "deletionTimestamp"), test.time);
  EXPECT_EQ(got.At("metadata", "generation"), "2");
  EXPECT_EQ(server.Stored("pods", "web") == nullptr, test.is_gone);
}

constexpr std::string_view kNode = R"(,"nodeName":"n1")";

INSTANTIATE_TEST_SUITE_P(
    All, PodGraceTest,
    testing::ValuesIn<GraceCase>({
        {"Unscheduled", "", "", "", true, "0", "2026-03-01T12:00:00Z"},
        {"UnscheduledAndAsked", "", "", R"({"gracePeriodSeconds":60})", true, "0",
         "2026-03-01T12:00:00Z"},
        {"OfItsSpec", std::string(kNode), "", "", false, "30", "2026-03-01T12:00:30Z"},
        {"ForEver", std::string(kNode), "", R"({"gracePeriodSeconds":9223372036854775807})", false,
         "9223372036854775807", "2126-02-05T12:00:00Z"},
        {"AsAsked", std::string(kNode), "", R"({"gracePeriodSeconds":5})", false, "5",
         "2026-03-01T12:00:05Z"},
        {"None", std::string(kNode), "", R"({"gracePeriodSeconds":0})", true, "0",
         "2026-03-01T12:00:00Z"},
        {"Negative", std::string(kNode), "", R"({"gracePeriodSeconds":-3})", false, "1",
         "2026-03-01T12:00:01Z"},
        {"Finished", std::string(kNode), R"(,"status":{"phase":"Succeeded"})", "", true, "0",
         "2026-03-01T12:00:00Z"},
        {"Failed", std::string(kNode), R"(,"status":{"phase":"Failed"})", "", true, "0",
         "2026-03-01T12:00:00Z"},
    }),
    [](const auto& test) { return test.param.name; });

TEST(DeleteTest, ALaterDeleteMayOnlyShorten) {
  WriterFixture server;
  ASSERT_EQ(server.Post(kPods, PodJson("web", "", kNode)).code, 201);
  ASSERT_EQ(server.Delete(PodTarget("web")).At("metadata", "deletionGracePeriodSeconds"), "30");
  const TestAnswer longer = server.Delete(PodTarget("web"), R"({"gracePeriodSeconds":60})");
  EXPECT_EQ(longer.At("metadata", "deletionGracePeriodSeconds"), "30");
  EXPECT_EQ(longer.At("metadata", "resourceVersion"), "2");
  const TestAnswer shorter = server.Delete(PodTarget("web") + "?gracePeriodSeconds=10");
  EXPECT_EQ(shorter.At("metadata", "deletionGracePeriodSeconds"), "10");
  EXPECT_EQ(shorter.At("metadata", "deletionTimestamp"), "2026-03-01T12:00:10Z");
  EXPECT_EQ(shorter.At("metadata", "generation"), "2");
  EXPECT_EQ(server.Delete(PodTarget("web"), R"({"gracePeriodSeconds":0})").code, 200);
  EXPECT_EQ(server.Stored("pods", "web"), nullptr);
}

TEST(DeleteTest, WhoWatchesSeesAPodToldToGoBeforeItGoes) {
  WriterFixture server;
  ASSERT_EQ(server.Post(kPods, PodJson("web")).code, 201);
  const TestAnswer gone = server.Delete(PodTarget("web"));
  EXPECT_EQ(gone.At("metadata", "resourceVersion"), "3");
  EXPECT_EQ(store::Number(server.store().latest()), 3);
}

struct PropagationCase {
  std::string name;
  std::string options;
  std::string finalizers;  // empty: deleted
  int code = 200;
};

class PropagationTest : public testing::TestWithParam<PropagationCase> {};

TEST_P(PropagationTest, Holds) {
  const PropagationCase& test = GetParam();
  WriterFixture server;
  const std::string sets = "/apis/apps/v1/namespaces/default/replicasets";
  ASSERT_EQ(server
                .Post(sets, R"({"metadata":{"name":"r"},"spec":{"selector":{"matchLabels":)"
                            R"({"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":)"
                            R"({"containers":[{"name":"c","image":"i"}]}}}})")
                .code,
            201);
  const TestAnswer got = server.Delete(sets + "/r", test.options);
  EXPECT_EQ(got.code, test.code) << got.body;
  const ObjectPtr left = server.Stored("replicasets", "r", "default", "apps");
  EXPECT_EQ(left == nullptr, test.finalizers.empty());
  EXPECT_EQ(got.At("metadata", "finalizers"), test.finalizers);
  EXPECT_EQ(got.At("metadata", "generation"), left == nullptr ? "" : "2");
}

INSTANTIATE_TEST_SUITE_P(All, PropagationTest,
                         testing::ValuesIn<PropagationCase>({
                             {"Default", "", ""},
                             {"Background", R"({"propagationPolicy":"Background"})", ""},
                             {"Foreground", R"({"propagationPolicy":"Foreground"})",
                              R"(["foregroundDeletion"])"},
                             {"Orphan", R"({"propagationPolicy":"Orphan"})", R"(["orphan"])"},
                             {"OldOrphan", R"({"orphanDependents":true})", R"(["orphan"])"},
                             {"OldCascade", R"({"orphanDependents":false})", ""},
                         }),
                         [](const auto& test) { return test.param.name; });

TEST(DeleteTest, JobsLeaveTheirPodsBehindByDefault) {
  WriterFixture server;
  const std::string jobs = "/apis/batch/v1/namespaces/default/jobs";
  ASSERT_EQ(server
                .Post(jobs, R"({"metadata":{"name":"j"},"spec":{"template":{"spec":)"
                            R"({"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}})"
                            "}")
                .code,
            201);
  const TestAnswer got = server.Delete(jobs + "/j");
  EXPECT_EQ(got.At("metadata", "finalizers"), R"(["orphan"])");
  EXPECT_EQ(got.warnings,
            std::vector<std::string>{
                "child pods are preserved by default when jobs are deleted; set "
                "propagationPolicy=Background to remove them or set propagationPolicy=Orphan to "
                "suppress this warning"});
}

struct RefusalCase {
  std::string name;
  std::string options;
  int code = 0;
  std::string message;
};

class DeleteRefusalTest : public testing::TestWithParam<RefusalCase> {};

TEST_P(DeleteRefusalTest, Says) {
  const RefusalCase& test = GetParam();
  WriterFixture server;
  const TestAnswer made = server.Post(kPods, PodJson("web", "", kNode));
  const TestAnswer got = server.Delete(PodTarget("web"), test.options);
  EXPECT_EQ(got.code, test.code);
  std::string message = got.message();
  const std::string uid = made.At("metadata", "uid");
  if (const auto at = message.find(uid); at != std::string::npos) {
    message.replace(at, uid.size(), "UID");
  }
  EXPECT_EQ(message, test.message);
  EXPECT_EQ(store::Number(server.store().latest()), 1);
}

INSTANTIATE_TEST_SUITE_P(
    All, DeleteRefusalTest,
    testing::ValuesIn<RefusalCase>({
        {"OtherUid", R"({"preconditions":{"uid":"x"}})", 409,
         R"(Operation cannot be fulfilled on Pod "web": the UID in the precondition (x) does not )"
         "match the UID in record (UID). The object might have been deleted and then recreated"},
        {"OtherVersion", R"({"preconditions":{"resourceVersion":"9"}})", 409,
         R"(Operation cannot be fulfilled on Pod "web": the ResourceVersion in the precondition )"
         "(9) does not match the ResourceVersion in record (1). The object might have been "
         "modified"},
        {"UnknownPolicy", R"({"propagationPolicy":"Never"})", 422,
         R"(DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: )"
         R"("Never": supported values: "Foreground", "Background", "Orphan", "nil")"},
        {"TwoPolicies", R"({"propagationPolicy":"Orphan","orphanDependents":true})", 422,
         R"(DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Invalid value: "Orphan": )"
         "orphanDependents and deletionPropagation cannot be both set"},
        {"OtherDryRun", R"({"dryRun":["x"]})", 422,
         R"(DeleteOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["x"]: supported )"
         R"(values: "All")"},
        {"OtherKind", R"({"kind":"Pod","apiVersion":"v1"})", 400,
         "decoded object cannot be converted to DeleteOptions"},
    }),
    [](const auto& test) { return test.param.name; });

TEST(DeleteTest, ADryRunDeletesNothing) {
  WriterFixture server;
  ASSERT_EQ(server.Post(kPods, PodJson("web", "", kNode)).code, 201);
  const TestAnswer got = server.Delete(PodTarget("web") + "?dryRun=All");
  EXPECT_EQ(got.At("metadata", "deletionGracePeriodSeconds"), "30");
  EXPECT_EQ(store::Number(server.store().latest()), 1);
  EXPECT_EQ(server.Delete(PodTarget("web"), R"({"gracePeriodSeconds":0,"dryRun":["All"]})").code,
            200);
  EXPECT_EQ(store::Number(server.store().latest()), 1);
}

TEST(DeleteTest, ANamespaceIsEmptiedFirst) {
  WriterFixture server;
  const std::string target = "/api/v1/namespaces/shop";
  const TestAnswer made = server.Post("/api/v1/namespaces", Named("shop"));
  EXPECT_EQ(made.At("spec", "finalizers"), R"(["kubernetes"])");
  EXPECT_EQ(made.At("status", "phase"), "Active");
  const TestAnswer told = server.Delete(target);
  EXPECT_EQ(told.At("status", "phase"), "Terminating");
  EXPECT_EQ(told.At("metadata", "deletionTimestamp"), "2026-03-01T12:00:00Z");
  EXPECT_EQ(server.Delete(target).At("metadata", "resourceVersion"), "2");
  // An update cannot remove the finalizer; finalize can.
  EXPECT_EQ(server.Put(target, Named("shop")).At("spec", "finalizers"), R"(["kubernetes"])");
  const TestAnswer gone = server.Put(target + "/finalize", Named("shop"));
  EXPECT_EQ(gone.code, 200) << gone.body;
  EXPECT_EQ(server.Stored("namespaces", "shop", ""), nullptr);
}

TEST(DeleteTest, ACollectionSurvivesAConflictAfterItsOwnMark) {
  WriterFixture server;
  const TestAnswer made = server.Post(kPods, PodJson("web"));
  ASSERT_EQ(made.code, 201);
  FailingStore& store = server.failing_store();
  // Someone else writes the pod after the request has marked it and before it removes it.
  store.before_commit = [&](const store::Write& write) {
    if (write.value != nullptr) return;
    store.before_commit = nullptr;
    const auto record = store.Get(write.key);
    ASSERT_TRUE(record && *record);
    ASSERT_TRUE(store.CommitAndWait({write.key, (*record)->value, (*record)->revision}));
  };
  const TestAnswer deleted =
      server.Delete(kPods, R"({"preconditions":{"resourceVersion":")" +
                               made.At("metadata", "resourceVersion") + "\"}}");
  EXPECT_EQ(deleted.code, 200) << deleted.body;
  EXPECT_FALSE(store.before_commit);
  EXPECT_EQ(server.Stored("pods", "web"), nullptr);
}

TEST(DeleteTest, ACollectionGoesBySelectors) {
  WriterFixture server;
  for (int i = 0; i < 20; ++i) {
    const std::string name = "p" + std::to_string(i);
    const std::string label = i % 2 == 0 ? R"(,"labels":{"even":"yes"})" : "";
    ASSERT_EQ(server.Post(kPods, PodJson(name, label, i < 4 ? kNode : "")).code, 201);
  }
  const std::string all(kPods);
  const TestAnswer listed = server.Delete(all + "?labelSelector=even%3Dyes&dryRun=All");
  EXPECT_EQ(listed.At("kind"), "PodList");
  EXPECT_EQ(server.cache().Count(server.Of("pods")), 20u);
  EXPECT_EQ(server.Delete(all + "?labelSelector=even%3Dyes").code, 200);
  // Two run on a node and have a deletionTimestamp.
  EXPECT_EQ(server.cache().Count(server.Of("pods")), 12u);
  EXPECT_EQ(server.Delete(all + "?fieldSelector=spec.nodeName%3Dn1&gracePeriodSeconds=0").code,
            200);
  EXPECT_EQ(server.cache().Count(server.Of("pods")), 8u);
  EXPECT_EQ(server.Delete(all + "?fieldSelector=spec.image%3Dx").message(),
            "field label not supported: spec.image");
  EXPECT_EQ(server.Delete(all).code, 200);
  EXPECT_EQ(server.cache().Count(server.Of("pods")), 0u);
}

}  // namespace
}  // namespace plimsoll::apiserver
