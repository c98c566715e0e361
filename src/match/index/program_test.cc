#include "match/index/program.h"

#include <gtest/gtest.h>

namespace plimsoll::match {
namespace {

std::string ContentOf(const api::PodSpec& pod) {
  std::string content;
  AppendContent(pod, ProgramParts::Both, content);
  return content;
}

TEST(AppendContentTest, TellsApartWhatDecides) {
  std::vector<api::PodSpec> pods(9);
  pods[1].tolerations = {{.key = "a"}};
  pods[2].tolerations = {{.op = "a"}};
  pods[3].tolerations = {{.key = "a"}, {}};
  pods[4].node_selector = {{"a", ""}};
  pods[5].node_selector = {{"", "a"}};
  pods[6].affinity.emplace().node_affinity.emplace();
  pods[7].affinity.emplace().node_affinity.emplace().required.emplace();
  pods[8].affinity.emplace().node_affinity.emplace().preferred.resize(1);
  for (std::size_t i = 0; i < pods.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(ContentOf(pods[i]), ContentOf(pods[j])) << i << j;
  }
}

TEST(AppendContentTest, LeavesOutWhatDoesNot) {
  api::PodSpec a;
  a.tolerations = {{.key = "k", .op = "Exists"}};
  api::PodSpec b = a;
  b.tolerations[0].toleration_seconds = 5;
  b.node_name = "n";
  b.affinity.emplace();
  EXPECT_EQ(ContentOf(a), ContentOf(b));
}

TEST(CompileTest, LeavesOutWhatCannotMatch) {
  TaintTable taints{Rules{}};
  LabelTable labels;
  api::PodSpec pod;
  pod.tolerations = {{.key = "k", .op = "Gt", .value = "x"}, {.key = "k", .op = "Exists"}};
  auto& affinity = pod.affinity.emplace().node_affinity.emplace();
  affinity.required.emplace().terms.resize(2);
  affinity.required->terms[1].match_expressions = {{"zone", "in", {"a"}}};
  affinity.preferred = {{0, {}}, {3, {{}, {{"metadata.name", "In", {"n"}}}}}};
  const Program program = Compile(pod, ProgramParts::Both, Rules{}, taints, labels);
  EXPECT_EQ(program.tolerations.size(), 1u);
  EXPECT_TRUE(program.has_required);
  EXPECT_TRUE(program.required.empty());
  ASSERT_EQ(program.preferred.size(), 1u);
  EXPECT_EQ(program.preferred[0].weight, 3);
  Release(program, taints, labels);
}

TEST(CompiledFieldTest, ANodeWithoutANameSatisfiesEveryField) {
  const CompiledField field{.wants_equal = true, .is_name = true, .value = "n1"};
  EXPECT_TRUE(field.Holds("n1"));
  EXPECT_FALSE(field.Holds("n2"));
  EXPECT_TRUE(field.Holds(""));
}

}  // namespace
}  // namespace plimsoll::match
