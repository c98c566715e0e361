#include "match/hint.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace plimsoll::match {
namespace {

struct TolerationCase {
  std::string name;
  api::Toleration toleration;
  std::vector<api::Taint> taints;  // one node each: n0, n1, …
  std::vector<std::string> want;   // "Kind field: message"
};

std::vector<std::string> Lines(const std::vector<Hint>& hints) {
  std::vector<std::string> lines;
  for (const Hint& hint : hints) {
    lines.push_back(std::string(ToText(hint.kind)) + " " + hint.field + ": " + hint.message);
  }
  return lines;
}

class TolerationHintTest : public testing::TestWithParam<TolerationCase> {};

TEST_P(TolerationHintTest, Says) {
  const TolerationCase& test = GetParam();
  std::vector<api::Node> nodes(test.taints.size());
  std::vector<std::string> names(test.taints.size());
  std::vector<const api::Node*> given;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    names[i] = "n" + std::to_string(i);
    nodes[i].metadata.name = names[i];
    nodes[i].spec.taints = {test.taints[i]};
    given.push_back(&nodes[i]);
  }
  api::PodSpec spec;
  spec.tolerations = {test.toleration};
  EXPECT_EQ(Lines(PodHints(spec, api::FieldPath("spec"), given)), test.want);
}

constexpr std::string_view kEffect = "NoSchedule";

INSTANTIATE_TEST_SUITE_P(
    All, TolerationHintTest,
    testing::ValuesIn<TolerationCase>({
        {"NothingToSay", {"k", "Gt", "750", kEffect}, {{"k", "800", kEffect}}, {}},
        {"StrictGt",
         {"k", "Gt", "950", kEffect},
         {{"k", "950", kEffect}},
         {"StrictThreshold spec.tolerations[0].value: Gt 950 excludes 950; Gt 949 includes it "
          "(node n0 has 950)"}},
        {"StrictLt",
         {"k", "Lt", "5", ""},
         {{"k", "1", kEffect}, {"k", "5", kEffect}},
         {"StrictThreshold spec.tolerations[0].value: Lt 5 excludes 5; Lt 6 includes it "
          "(node n1 has 5)"}},
        {"OtherKeysAndEffectsDoNotCount",
         {"k", "Gt", "950", kEffect},
         {{"other", "950", kEffect}, {"k", "950", "NoExecute"}},
         {}},
        {"Unmet",
         {"k", "Gt", "999", kEffect},
         {{"k", "800", kEffect}, {"k", "950", kEffect}},
         {"ThresholdUnmet spec.tolerations[0].value: no given node meets Gt 999; the nearest is "
          "950 (node n1)"}},
        {"UnmetAsUnreadable",
         {"k", "Gt", "9", kEffect},
         {{"k", "high", kEffect}},
         {"ThresholdUnmet spec.tolerations[0].value: no given node meets Gt 9: node n0 has high, "
          "which is not an integer"}},
        {"NeverBelowZero",
         {"k", "Lt", "0", kEffect},
         {},
         {"NeverMatches spec.tolerations[0].value: Lt 0 never matches: a taint value cannot be "
          "negative"}},
        {"NeverAboveTheLargest",
         {"k", "Gt", "9223372036854775807", kEffect},
         {},
         {"NeverMatches spec.tolerations[0].value: Gt 9223372036854775807 never matches: no "
          "64-bit integer is greater"}},
        {"Prerelease",
         {"k", "SemverGt", "5.10.0", kEffect},
         {{"k", "5.10.0-26-amd64", kEffect}},
         {"PrereleaseTrap spec.tolerations[0].value: 5.10.0-26-amd64 sorts below 5.10.0: it reads "
          "as a pre-release (node n0 has 5.10.0-26-amd64)"}},
        {"PrereleaseOfAnotherReleaseIsNoTrap",
         {"k", "SemverGt", "5.10.0", kEffect},
         {{"k", "5.11.0-rc.1", kEffect}},
         {}},
        {"StrictVersion",
         {"k", "SemverGt", "1.2.3", kEffect},
         {{"k", "v1.2.3", kEffect}},
         {"StrictThreshold spec.tolerations[0].value: SemverGt 1.2.3 excludes 1.2.3; SemverEq "
          "1.2.3 beside it includes it (node n0 has v1.2.3)"}},
        {"VersionThatNoTaintCanHave",
         {"k", "SemverEq", "1.2.3-rc-", kEffect},
         {},
         {"NeverMatches spec.tolerations[0].value: SemverEq 1.2.3-rc- never matches: such a "
          "version is not a valid taint value"}},
        {"NoExecuteForEver",
         {"k", "Exists", "", "NoExecute"},
         {},
         {"NoExecuteWithoutTime spec.tolerations[0]: without tolerationSeconds the pod stays on "
          "the tainted node forever"}},
        {"NoExecuteWithSeconds", {"k", "Exists", "", "NoExecute", "", 30}, {}, {}},
        {"NoExecuteAtOnce",
         {"k", "Lt", "20", "NoExecute"},
         {},
         {"NoExecuteWithoutTime spec.tolerations[0]: without tolerationSeconds the pod is evicted "
          "at once when the value crosses Lt 20; set it for a grace period"}},
    }),
    [](const auto& test) { return test.param.name; });

TEST(AffinityHintTest, LooksAtLabelsOfRequiredAndPreferredTerms) {
  api::Node node;
  node.metadata.name = "n";
  node.metadata.labels = {{"gen", "7"}, {"kernel", "5.10.0-26-amd64"}};
  const api::Node* given[] = {&node};

  api::PodSpec spec;
  api::NodeAffinity affinity;
  affinity.required = api::NodeSelector{{{{{"gen", "Gt", {"7"}}}, {}}}};
  affinity.preferred = {{1, {{{"kernel", "SemverGt", {"5.10.0"}}}, {}}}};
  spec.affinity = api::Affinity{.node_affinity = affinity};
  EXPECT_EQ(Lines(PodHints(spec, api::FieldPath("spec"), given)),
            (std::vector<std::string>{
                "StrictThreshold spec.affinity.nodeAffinity."
                "requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]."
                "matchExpressions[0].values: Gt 7 excludes 7; Gt 6 includes it (node n has 7)",
                "PrereleaseTrap spec.affinity.nodeAffinity."
                "preferredDuringSchedulingIgnoredDuringExecution[0].preference."
                "matchExpressions[0].values: 5.10.0-26-amd64 sorts below 5.10.0: it reads as a "
                "pre-release (node n has 5.10.0-26-amd64)"}));
}

TEST(VolumeHintTest, LooksAtLabels) {
  api::Node node;
  node.metadata.name = "n";
  node.metadata.labels = {{"kernel", "5.9.0"}};
  const api::Node* given[] = {&node};
  api::PersistentVolumeSpec spec;
  spec.node_affinity =
      api::VolumeNodeAffinity{api::NodeSelector{{{{{"kernel", "SemverGt", {"5.10.0"}}}, {}}}}};
  EXPECT_EQ(Lines(VolumeHints(spec, api::FieldPath("spec"), given)),
            (std::vector<std::string>{
                "ThresholdUnmet spec.nodeAffinity.required.nodeSelectorTerms[0]."
                "matchExpressions[0].values: no given node meets SemverGt 5.10.0; the nearest is "
                "5.9.0 (node n)"}));
}

}  // namespace
}  // namespace plimsoll::match
