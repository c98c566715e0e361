#include "cli/lifecycle/cluster_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "cli/output/tree_output.h"

namespace plimsoll::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

Instant At(const char* text) { return *ParseTime(text); }

ClusterFacts Running() {
  return {.directory = "/d",
          .data_bytes = 3 << 20,
          .kubeconfig = "/d/admin.kubeconfig",
          .server = "https://127.0.0.1:6443",
          .certificates = {{"pki/ca.crt", At("2036-01-01T00:00:00Z")},
                           {"pki/apiserver.crt", At("2027-03-01T00:00:00Z")},
                           {"pki/admin.crt", At("2027-02-01T00:00:00Z")}},
          .pid = 4711,
          .run = RunRecord{.pid = 4711,
                           .version = "v1",
                           .started = "2026-01-01T00:00:00Z",
                           .cluster = "lab",
                           .merged_kubeconfig = "/h/.kube/config"},
          .is_ready = true,
          .counts = ClusterCounts{
              .nodes = 20, .ready_nodes = 19, .pods = {{"Pending", 1}, {"Running", 15}}}};
}

std::string Written(const ClusterFacts& facts, OutputFormat format) {
  codec::Document document;
  std::ostringstream out;
  WriteTree(ToTree(facts, document), format, out);
  return out.str();
}

TEST(ClusterFactsTest, TextHasAllThatIsKnown) {
  EXPECT_EQ(ToText(Running(), At("2026-01-01T01:02:03Z")).plain(),
            "Plimsoll is running: https://127.0.0.1:6443\n\n"
            "  process       4711, since 2026-01-01T00:00:00Z, up for 1h2m3s, plimsoll v1\n"
            "  data          /d (3.0 MiB)\n"
            "  kubeconfig    /d/admin.kubeconfig, also in /h/.kube/config as lab\n"
            "  ready         yes\n"
            "  nodes         19 of 20 ready\n"
            "  pods          1 Pending, 15 Running\n"
            "  certificates  pki/admin.crt ends first, 2027-02-01T00:00:00Z; the authority ends "
            "2036-01-01T00:00:00Z\n");
  ClusterFacts silent = Running();
  silent.run.reset();
  silent.is_ready = false;
  silent.counts.reset();
  silent.fault = "connection refused";
  const std::string text = ToText(silent, At("2026-01-01T01:02:03Z")).plain();
  EXPECT_THAT(text, HasSubstr("process       4711\n"));
  EXPECT_THAT(text, HasSubstr("ready         no: connection refused\n"));
  EXPECT_THAT(text, Not(HasSubstr("nodes")));
}

TEST(ClusterFactsTest, DocumentsHaveTheSameFacts) {
  const std::string json = Written(Running(), OutputFormat::Json);
  for (const char* const part :
       {R"("running": true)", R"("pid": 4711)", R"("since": "2026-01-01T00:00:00Z")",
        R"("version": "v1")", R"("dataBytes": 3145728)", R"("ready": true)", R"("total": 20)",
        R"("Running": 15)", R"("mergedKubeconfig": "/h/.kube/config")",
        R"("notAfter": "2027-02-01T00:00:00Z")"}) {
    EXPECT_THAT(json, HasSubstr(part));
  }
  EXPECT_THAT(Written(Running(), OutputFormat::Yaml),
              HasSubstr("nodes:\n  ready: 19\n  total: 20\n"));
  const std::string stopped = Written({.directory = "/d"}, OutputFormat::Json);
  EXPECT_THAT(stopped, HasSubstr(R"("running": false)"));
  EXPECT_THAT(stopped, Not(HasSubstr("pid")));
}

}  // namespace
}  // namespace plimsoll::cli
