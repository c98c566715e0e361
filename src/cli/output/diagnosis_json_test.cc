#include "cli/output/diagnosis_json.h"

#include <gtest/gtest.h>

#include "codec/json.h"

namespace plimsoll::cli {
namespace {

TEST(DiagnosisTreeTest, HoldsTaintsAndTerms) {
  api::Node node;
  node.spec.taints = {{.key = "sla", .value = "800", .effect = "NoSchedule"}};
  node.metadata.labels = {{"gen", "7"}};
  api::PodSpec pod;
  pod.tolerations = {{.key = "sla", .op = "Gt", .value = "750"}};
  pod.affinity = api::Affinity{.node_affinity = api::NodeAffinity{
                                   .required = api::NodeSelector{{{{{"gen", "Gt", {"8"}}}, {}}}}}};
  codec::Document document;
  const codec::Value tree = DiagnosisTree(match::Diagnose(pod, node, match::Rules()), document);
  EXPECT_EQ(
      codec::WriteJson(tree),
      R"j({"accepted":false,)j"
      R"j("refusals":["affinity term 0: gen Gt 8: label 7 is not greater than 8"],)j"
      R"j("advisories":[],)j"
      R"j("taints":[{"taint":"sla=800:NoSchedule","blocks":true,"tolerated":true,)j"
      R"j("toleration":0,)j"
      R"j("message":"taint sla=800:NoSchedule: tolerated by toleration 0 (Gt 750)"}],)j"
      R"j("affinity":{"accepted":false,"nodeSelector":[],"terms":[{"index":0,"matched":false,)j"
      R"j("requirements":[{"key":"gen","operator":"Gt","actual":"7","holds":false,)j"
      R"j("fault":"NotGreater","message":"gen Gt 8: label 7 is not greater than 8"}]}]}})j");
}

}  // namespace
}  // namespace plimsoll::cli
