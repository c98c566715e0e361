#include "apiserver/admission/pod_security.h"

#include <gtest/gtest.h>

#include "apiserver/admission/admission_for_test.h"
#include "apiserver/admission/pod_security_metrics.h"
#include "apiserver/limits.h"

namespace plimsoll::apiserver {
namespace {

constexpr std::string_view kDenied =
    "403 pods \"web\" is forbidden: violates PodSecurity \"baseline:latest\": host namespaces "
    "(hostPID=true)";
constexpr std::string_view kWarned =
    "would violate PodSecurity \"baseline:latest\": host namespaces (hostPID=true)";

class PodSecurityTest : public testing::Test, public AdmissionFixture {
 protected:
  void PutNamespace(std::string_view name, std::string_view labels) {
    Put(Of("namespaces"), "", name, "", ",\"labels\":{" + std::string(labels) + "}");
  }
  PodSecurity& Gate() {
    if (!gate_) {
      registry_ = std::make_unique<MetricsRegistry>();
      gate_.emplace(cache(), Of("namespaces"), Of("pods"), options_, clock(), *registry_);
    }
    return *gate_;
  }
  /// Returns the error, or "" if the object was admitted.
  std::string Refusal(const AdmissionCase& test) {
    std::string answer = Ask(Gate(), test);
    return answer.starts_with("4") || answer.starts_with("5") ? answer : "";
  }
  static std::string Pod(std::string_view spec, std::string_view meta = "") {
    return R"({"metadata":{"name":"web","namespace":"a")" + std::string(meta) + R"(},"spec":{)" +
           std::string(spec) + "}}";
  }
  static std::string Namespace(std::string_view name, std::string_view labels) {
    return R"({"metadata":{"name":")" + std::string(name) + R"(","labels":{)" +
           std::string(labels) + "}}}";
  }
  std::string Warnings() const {
    std::string out;
    for (const std::string& warning : warnings) out += warning + "\n";
    return out;
  }

  PodSecurityOptions options_;
  std::unique_ptr<MetricsRegistry> registry_;
  std::optional<PodSecurity> gate_;
};

constexpr std::string_view kEnforceBaseline = R"("pod-security.kubernetes.io/enforce":"baseline")";

TEST_F(PodSecurityTest, EnforcesTheLabelsOfTheNamespace) {
  PutNamespace("a", kEnforceBaseline);
  EXPECT_EQ(Refusal({.object = Pod(R"("hostPID":true)")}), kDenied);
  EXPECT_EQ(Warnings(), "");
  EXPECT_EQ(Refusal({.object = Pod("")}), "");
  EXPECT_TRUE(registry_->Text().contains(
      R"(pod_security_evaluations_total{decision="deny",mode="enforce",policy_level="baseline",)"
      R"(policy_version="latest",request_operation="create",resource="pod",subresource=""} 1)"))
      << registry_->Text();
  PutNamespace("a", "");
  EXPECT_EQ(Refusal({.object = Pod(R"("hostPID":true)")}), "");
}

TEST_F(PodSecurityTest, WarnsAboutPodsAndTemplates) {
  PutNamespace("a", R"("pod-security.kubernetes.io/warn":"baseline")");
  EXPECT_EQ(Refusal({.object = Pod(R"("hostPID":true)")}), "");
  EXPECT_EQ(Warnings(), std::string(kWarned) + "\n");
  // With enforce alone, workloads get a warning and are not rejected.
  PutNamespace("a", kEnforceBaseline);
  EXPECT_EQ(Refusal({.plural = "deployments",
                     .group = "apps",
                     .object = R"({"metadata":{"name":"d","namespace":"a"},"spec":{"template":)"
                               R"({"spec":{"hostPID":true}}}})"}),
            "");
  EXPECT_EQ(Warnings(), std::string(kWarned) + "\n");
}

TEST_F(PodSecurityTest, OnlySignificantUpdatesAreChecked) {
  PutNamespace("a", kEnforceBaseline);
  const std::string before = Pod(R"("hostPID":true,"containers":[{"name":"c","image":"i:1"}])");
  const auto update = [&](std::string object, std::string subresource = "") {
    return Refusal({.operation = Operation::Update,
                    .object = std::move(object),
                    .before = before,
                    .subresource = std::move(subresource)});
  };
  EXPECT_EQ(update(Pod(R"("hostPID":true,"containers":[{"name":"c","image":"i:1"}])",
                       R"(,"labels":{"x":"y"})")),
            "");
  const std::string changed = Pod(R"("hostPID":true,"containers":[{"name":"c","image":"i:2"}])");
  EXPECT_EQ(update(changed), kDenied);
  EXPECT_EQ(update(changed, "status"), "");
  EXPECT_EQ(update(Pod(R"("hostPID":true,"containers":[{"name":"c","image":"i:1"}],)"
                       R"("ephemeralContainers":[{"name":"e","image":"j"}])"),
                   "ephemeralcontainers"),
            kDenied);
}

TEST_F(PodSecurityTest, ExemptionsAreCountedAndAnnotated) {
  options_.namespaces = {"free"};
  options_.usernames = {"root"};
  options_.runtime_classes = {"kata"};
  PutNamespace("a", kEnforceBaseline);
  PutNamespace("free", kEnforceBaseline);
  EXPECT_EQ(Refusal({.object = Pod(R"("hostPID":true)"), .user = {.name = "root"}}), "");
  EXPECT_EQ(Refusal({.object = Pod(R"("hostPID":true,"runtimeClassName":"kata")")}), "");
  EXPECT_EQ(Refusal({.object = R"({"metadata":{"name":"web","namespace":"free"},)"
                               R"("spec":{"hostPID":true}})"}),
            "");
  EXPECT_EQ(Refusal({.object = Pod(R"("hostPID":true,"runtimeClassName":"runc")")}), kDenied);
  EXPECT_TRUE(registry_->Text().contains(
      R"(pod_security_exemptions_total{request_operation="create",resource="pod",subresource=""} 3)"));
}

TEST_F(PodSecurityTest, DefaultsStandInForLabels) {
  options_.defaults.enforce.level = api::PodSecurityLevel::Baseline;
  PutNamespace("a", "");
  EXPECT_EQ(Refusal({.object = Pod(R"("hostPID":true)")}), kDenied);
  PutNamespace("a", R"("pod-security.kubernetes.io/enforce":"privileged")");
  EXPECT_EQ(Refusal({.object = Pod(R"("hostPID":true)")}), "");
}

TEST_F(PodSecurityTest, LabelsThatCannotBeReadAreTheStrictestPolicy) {
  PutNamespace("a", R"("pod-security.kubernetes.io/enforce":"x")");
  EXPECT_TRUE(Refusal({.object = Pod(R"("hostPID":true)")})
                  .starts_with("403 pods \"web\" is forbidden: violates PodSecurity "
                               "\"restricted:latest\": host namespaces"));
  EXPECT_TRUE(registry_->Text().contains(
      R"(pod_security_errors_total{fatal="false",request_operation="create",resource="pod",)"
      R"(subresource=""} 1)"));
}

TEST_F(PodSecurityTest, AMissingNamespaceIsAnError) {
  EXPECT_EQ(Refusal({.object = Pod("")}),
            "500 Internal error occurred: failed to lookup namespace \"a\"");
}

TEST_F(PodSecurityTest, BadLabelsOfANamespaceAreRefusedOnce) {
  const std::string bad = Namespace("a", R"("pod-security.kubernetes.io/warn":"x")");
  EXPECT_EQ(Refusal({.plural = "namespaces", .object = bad}),
            "422 Namespace \"a\" is invalid: metadata.labels[pod-security.kubernetes.io/warn]: "
            "Invalid value: \"x\": must be one of privileged, baseline, restricted");
  EXPECT_EQ(
      Refusal(
          {.operation = Operation::Update, .plural = "namespaces", .object = bad, .before = bad}),
      "");
  EXPECT_NE(Refusal({.operation = Operation::Update,
                     .plural = "namespaces",
                     .object = bad,
                     .before = Namespace("a", "")}),
            "");
}

TEST_F(PodSecurityTest, ANewLevelIsHeldAgainstExistingPods) {
  const auto put = [&](std::string_view name, std::string_view spec, std::string_view owner = "") {
    const std::string meta = owner.empty() ? ""
                                           : R"(,"ownerReferences":[{"controller":true,"uid":")" +
                                                 std::string(owner) + R"("}])";
    Put(Of("pods"), "a", name, ",\"spec\":{" + std::string(spec) + "}", meta);
  };
  put("c", R"("hostPID":true)");
  put("b", R"("hostIPC":true)");
  put("d", R"("hostPID":true)", "r1");
  put("e", R"("hostPID":true)", "r1");
  put("fine", "");
  put("ports", R"("containers":[{"name":"x","ports":[{"hostPort":1}]}])");
  const auto update = [&](std::string_view now, std::string_view before) {
    EXPECT_EQ(Refusal({.operation = Operation::Update,
                       .plural = "namespaces",
                       .object = Namespace("a", now),
                       .before = Namespace("a", before)}),
              "");
    return Warnings();
  };
  EXPECT_EQ(update(kEnforceBaseline, ""),
            "existing pods in namespace \"a\" violate the new PodSecurity enforce level "
            "\"baseline:latest\"\n"
            "b (and 3 other pods): host namespaces\n"
            "ports: hostPort\n");
  EXPECT_EQ(update(kEnforceBaseline, kEnforceBaseline), "");
  EXPECT_EQ(update("", kEnforceBaseline), "");
  EXPECT_EQ(update(kEnforceBaseline, R"("pod-security.kubernetes.io/enforce":"restricted")"), "");
}

TEST_F(PodSecurityTest, ManyPodsAreCheckedInPart) {
  for (std::size_t i = 0; i < kPodsCheckedMax + 5; ++i) {
    PutPod("a", "p" + std::to_string(i));
  }
  EXPECT_EQ(Refusal({.operation = Operation::Update,
                     .plural = "namespaces",
                     .object = Namespace("a", kEnforceBaseline),
                     .before = Namespace("a", "")}),
            "");
  EXPECT_EQ(Warnings(),
            "new PodSecurity enforce level only checked against the first 3000 of 3005 existing "
            "pods\n");
}

TEST_F(PodSecurityTest, LabelsOfAnExemptNamespaceAreOnlyWarnedAbout) {
  options_.namespaces = {"a"};
  EXPECT_EQ(Refusal({.plural = "namespaces",
                     .object = Namespace("a", std::string(kEnforceBaseline) +
                                                  R"(,"pod-security.kubernetes.io/audit":)"
                                                  R"("restricted")")}),
            "");
  EXPECT_EQ(Warnings(),
            "namespace \"a\" is exempt from Pod Security, and the policy "
            "(enforce=baseline:latest, audit=restricted:latest) will be ignored\n");
}

}  // namespace
}  // namespace plimsoll::apiserver
