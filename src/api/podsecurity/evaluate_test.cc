#include "api/podsecurity/evaluate.h"

#include <gtest/gtest.h>

#include <memory>

#include "api/podsecurity/check_texts.h"
#include "api/podsecurity/pod_facts.h"
#include "codec/json.h"

namespace plimsoll::api {
namespace {

/// A pod parsed from JSON, without Conform.
struct ParsedPod {
  explicit ParsedPod(const std::string& json) : document(*codec::ParseJson(json)) {
    tree = *FindPodTree("Pod", document->root());
  }
  std::unique_ptr<codec::Document> document;
  PodTree tree;
};

constexpr std::string_view kNoVersion;

std::string Reasons(const std::string& json, PodSecurityLevel level, std::string_view version) {
  const ParsedPod pod(json);
  const PodSecurityVersion parsed =
      version.empty() ? PodSecurityVersion{} : *ParsePodSecurityVersion(version);
  return ForbiddenReason(EvaluatePodSecurity({level, parsed}, pod.tree));
}

TEST(EvaluatePodSecurityTest, RulesComeAndGoWithTheirVersion) {
  constexpr auto kBase = PodSecurityLevel::Baseline;
  constexpr auto kStrict = PodSecurityLevel::Restricted;
  const std::string tcp_rmem =
      R"({"spec":{"securityContext":{"sysctls":[{"name":"net.ipv4.tcp_rmem","value":"1"}]}}})";
  EXPECT_EQ(Reasons(tcp_rmem, kBase, "v1.31"), "forbidden sysctls");
  EXPECT_EQ(Reasons(tcp_rmem, kBase, "v1.32"), "");
  const std::string lowat = R"({"spec":{"securityContext":{"sysctls":[)"
                            R"({"name":"net.ipv4.tcp_notsent_lowat","value":"1"},)"
                            R"({"name":"net.ipv4.tcp_slow_start_after_idle","value":"1"}]}}})";
  EXPECT_EQ(Reasons(lowat, kBase, "v1.36"), "forbidden sysctls");
  EXPECT_EQ(Reasons(lowat, kBase, "v1.37"), "");
  EXPECT_EQ(Reasons(lowat, kBase, "v1.1000"), "");
  EXPECT_EQ(Reasons(lowat, kBase, kNoVersion), "");
  const std::string bare = R"({"spec":{"containers":[{"name":"a"}]}})";
  EXPECT_EQ(Reasons(bare, kBase, kNoVersion), "");
  EXPECT_EQ(Reasons(bare, kStrict, "v1.7"), "runAsNonRoot != true");
  EXPECT_EQ(Reasons(bare, kStrict, "v1.8"),
            "allowPrivilegeEscalation != false, runAsNonRoot != true");
  EXPECT_EQ(Reasons(bare, kStrict, kNoVersion),
            "allowPrivilegeEscalation != false, unrestricted capabilities, runAsNonRoot != true, "
            "seccompProfile");
  EXPECT_EQ(Reasons(bare, PodSecurityLevel::Privileged, kNoVersion), "");
}

TEST(EvaluatePodSecurityTest, WrongTypesAndMissingPartsAreNoFaultOfTheProgram) {
  for (
      const std::string json :
      {R"({})", R"({"metadata":null,"spec":null})", R"({"metadata":7,"spec":[]})",
       R"({"spec":{"containers":{},"volumes":"x","securityContext":3,"hostNetwork":"yes"}})",
       R"({"metadata":{"annotations":[1]},"spec":{"containers":[null,1,"x",[]],"volumes":[null]}})",
       R"({"spec":{"containers":[{"name":5,"securityContext":{"capabilities":{"add":[1,null]},)"
       R"("procMount":{},"runAsUser":"0","seccompProfile":"x"},"ports":[1,{"hostPort":"80"}],)"
       R"("lifecycle":[],"livenessProbe":{"httpGet":[]}}]}})"}) {
    for (const auto level : {PodSecurityLevel::Baseline, PodSecurityLevel::Restricted}) {
      Reasons(json, level, kNoVersion);
      Reasons(json, level, "v1.0");
    }
  }
}

TEST(DecidePodSecurityTest, ARefusedPodIsNotWarnedAbout) {
  const ParsedPod pod(R"({"spec":{"hostPID":true}})");
  PodSecurityPolicy policy;
  policy.enforce.level = policy.warn.level = policy.audit.level = PodSecurityLevel::Baseline;
  const PodSecurityDecision refused = DecidePodSecurity(policy, {}, pod.tree, true);
  EXPECT_EQ(refused.denial.value_or(""),
            "violates PodSecurity \"baseline:latest\": host namespaces (hostPID=true)");
  EXPECT_TRUE(refused.warnings.empty());
  EXPECT_EQ(refused.evaluations.size(), 2u);
  const PodSecurityDecision warned = DecidePodSecurity(policy, {}, pod.tree, false);
  EXPECT_FALSE(warned.denial.has_value());
  EXPECT_EQ(JoinTexts(warned.warnings, "|"),
            "would violate PodSecurity \"baseline:latest\": host namespaces (hostPID=true)");
}

TEST(DecidePodSecurityTest, LabelsThatCannotBeReadAreAnnotated) {
  const ParsedPod pod(R"({"spec":{}})");
  FieldErrors errors;
  const PodSecurityPolicy policy = PodSecurityPolicyOf({{kAuditLabel, "x"}}, {}, errors);
  const PodSecurityDecision decision = DecidePodSecurity(policy, errors, pod.tree, true);
  ASSERT_FALSE(decision.audit_annotations.empty());
  EXPECT_EQ(decision.audit_annotations.front().first, "error");
  EXPECT_TRUE(decision.audit_annotations.front().second.starts_with("Failed to parse policy: "));
}

TEST(SignificantPodUpdateTest, ImagesContainersAndSeccompAnnotationsAre) {
  const std::string base =
      R"({"metadata":{"annotations":{"x":"y"}},"spec":{"containers":[{"name":"a","image":"i:1"}],)"
      R"("ephemeralContainers":[{"name":"e","image":"j:1"}]}})";
  struct UpdateCase {
    std::string now;
    bool is_significant;
  };
  for (
      const UpdateCase& test : std::vector<UpdateCase>{
          {base, false},
          {R"({"metadata":{"annotations":{"x":"z"},"labels":{"a":"b"}},"spec":{"containers":[)"
           R"({"name":"a","image":"i:1","resources":{}}],"ephemeralContainers":[)"
           R"({"name":"e","image":"j:1"}],"activeDeadlineSeconds":5}})",
           false},
          {R"({"spec":{"containers":[{"name":"a","image":"i:1"}]}})", false},
          {R"({"spec":{"containers":[{"name":"a","image":"i:2"}]}})", true},
          {R"({"spec":{"containers":[]}})", true},
          {R"({"spec":{"containers":[{"name":"a","image":"i:1"}],"initContainers":[{}]}})", true},
          {R"({"spec":{"containers":[{"name":"a","image":"i:1"}],"ephemeralContainers":[)"
           R"({"name":"f","image":"j:1"}]}})",
           true},
          {R"({"metadata":{"annotations":{"container.seccomp.security.alpha.kubernetes.io/a":"u"}})"
           R"(,"spec":{"containers":[{"name":"a","image":"i:1"}]}})",
           true},
      }) {
    EXPECT_EQ(IsSignificantPodUpdate(ParsedPod(test.now).tree, ParsedPod(base).tree),
              test.is_significant)
        << test.now;
  }
}

TEST(FindPodTreeTest, FindsTheTemplateOfEachKind) {
  const auto spec_of = [](std::string_view kind, const std::string& json) -> std::string {
    const auto document = codec::ParseJson(json);
    const auto pod = FindPodTree(kind, (*document)->root());
    if (!pod) return "none";
    return pod->spec == nullptr ? "null" : codec::WriteJson(*pod->spec);
  };
  EXPECT_EQ(spec_of("PodTemplate", R"({"template":{"spec":{"a":1}}})"), R"({"a":1})");
  EXPECT_EQ(spec_of("Job", R"({"spec":{"template":{"spec":{"a":1}}}})"), R"({"a":1})");
  EXPECT_EQ(
      spec_of("CronJob", R"({"spec":{"jobTemplate":{"spec":{"template":{"spec":{"a":1}}}}}})"),
      R"({"a":1})");
  EXPECT_EQ(spec_of("ReplicationController", R"({"spec":{}})"), "none");
  EXPECT_EQ(spec_of("Deployment", R"({"spec":{"template":{}}})"), "null");
  EXPECT_EQ(spec_of("Service", R"({"spec":{"template":{"spec":{}}}})"), "none");
}

}  // namespace
}  // namespace plimsoll::api
