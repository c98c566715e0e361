#include "api/podsecurity/policy.h"

#include <gtest/gtest.h>

namespace plimsoll::api {
namespace {

struct LabelCase {
  std::string name;
  StringMap labels;
  std::string policy;  // enforce audit warn
  std::string errors;
};

class PodSecurityLabelsTest : public testing::TestWithParam<LabelCase> {};

TEST_P(PodSecurityLabelsTest, GiveThePolicy) {
  const LabelCase& test = GetParam();
  FieldErrors errors;
  const PodSecurityPolicy policy = PodSecurityPolicyOf(test.labels, {}, errors);
  EXPECT_EQ(policy.enforce.Text() + " " + policy.audit.Text() + " " + policy.warn.Text(),
            test.policy);
  EXPECT_EQ(errors.empty() ? "" : errors.Text(), test.errors);
}

INSTANTIATE_TEST_SUITE_P(
    All, PodSecurityLabelsTest,
    testing::ValuesIn<LabelCase>({
        {"None", {}, "privileged:latest privileged:latest privileged:latest", ""},
        {"All",
         {{kEnforceLabel, "baseline"},
          {kEnforceVersionLabel, "v1.20"},
          {kAuditLabel, "restricted"},
          {kAuditVersionLabel, "latest"},
          {kWarnLabel, "baseline"},
          {kWarnVersionLabel, "v1.0"}},
         "baseline:v1.20 restricted:latest baseline:v1.0",
         ""},
        {"WarnFollowsEnforce",
         {{kEnforceLabel, "restricted"}, {kEnforceVersionLabel, "v1.30"}},
         "restricted:v1.30 privileged:latest restricted:v1.30",
         ""},
        {"WarnKeepsItsVersion",
         {{kEnforceLabel, "restricted"}, {kWarnVersionLabel, "v1.30"}},
         "restricted:latest privileged:latest restricted:v1.30",
         ""},
        {"WarnCanBeSwitchedOff",
         {{kEnforceLabel, "restricted"}, {kWarnLabel, "privileged"}},
         "restricted:latest privileged:latest privileged:latest",
         ""},
        {"ABadEnforceLevelIsRestricted",
         {{kEnforceLabel, "x"}, {kEnforceVersionLabel, "1.30"}},
         "restricted:latest privileged:latest privileged:latest",
         "[metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: \"x\": must be one "
         "of privileged, baseline, restricted, "
         "metadata.labels[pod-security.kubernetes.io/enforce-version]: Invalid value: \"1.30\": "
         "must be \"latest\" or \"v1.x\"]"},
        {"ABadAuditLevelIsPrivileged",
         {{kAuditLabel, ""}},
         "privileged:latest privileged:latest privileged:latest",
         "metadata.labels[pod-security.kubernetes.io/audit]: Invalid value: \"\": must be one of "
         "privileged, baseline, restricted"},
    }),
    [](const auto& test) { return test.param.name; });

TEST(PodSecurityVersionTest, OnlyMinorVersionsOfOneAreVersions) {
  for (const std::string_view text :
       {"latest", "v1.0", "v1.9", "v1.99", "v1.9223372036854775807"}) {
    const auto version = ParsePodSecurityVersion(text);
    ASSERT_TRUE(version.has_value()) << text;
    EXPECT_EQ(version->Text(), text);
  }
  for (const std::string_view text : {"", "v1", "v1.", "v1.01", "v1.-1", "v1.+1", "v2.0", "1.2",
                                      "v1.2.3", "Latest", "v1.1 ", "v1.9223372036854775808"}) {
    EXPECT_FALSE(ParsePodSecurityVersion(text).has_value()) << text;
  }
}

TEST(PodSecurityPolicyTest, TheVersionOfPrivilegedDoesNotMatter) {
  PodSecurityPolicy one;
  PodSecurityPolicy other;
  other.audit.version.minor = 5;
  EXPECT_TRUE(one.IsEquivalent(other));
  EXPECT_TRUE(other.IsFullyPrivileged());
  other.audit.level = PodSecurityLevel::Baseline;
  EXPECT_FALSE(one.IsEquivalent(other));
  EXPECT_FALSE(other.IsFullyPrivileged());
}

}  // namespace
}  // namespace plimsoll::api
