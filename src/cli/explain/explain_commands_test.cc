#include "cli/explain/explain_commands.h"

#include <gtest/gtest.h>

#include "cli/run_for_test.h"

namespace plimsoll::cli {
namespace {

using Words = std::vector<std::string>;

TEST(ExplainCommandsTest, UnderstandsUpstreamsNames) {
  const struct {
    Words words;
    Words want;
  } kCases[] = {
      {{"explain", "deployment", "web"}, {"explain", "deployment", "web"}},
      {{"explain", "deploy/web"}, {"explain", "deployment", "web"}},
      {{"explain", "Deployments.apps", "web"}, {"explain", "deployment", "web"}},
      {{"explain", "deployments.v1.apps/web", "-n", "shop"},
       {"explain", "deployment", "web", "-n", "shop"}},
      {{"explain", "rs/web"}, {"explain", "replicaset", "web"}},
      {{"explain", "sts", "web"}, {"explain", "statefulset", "web"}},
      {{"explain", "ds/web"}, {"explain", "daemonset", "web"}},
      {{"explain", "jobs.batch/web"}, {"explain", "job", "web"}},
      {{"explain", "no/n1"}, {"explain", "node", "n1"}},
      {{"explain", "po", "web-0"}, {"explain", "pod", "web-0"}},
      {{"explain", "claims/c"}, {"explain", "claim", "c"}},
      {{"explain", "resourceclaim", "c"}, {"explain", "claim", "c"}},
      {{"explain", "devices", "a/b/c"}, {"explain", "device", "a/b/c"}},
      {{"explain", "device/a/b/c"}, {"explain", "device", "a/b/c"}},
      {{"-v", "1", "explain", "po/web"}, {"-v", "1", "explain", "pod", "web"}},
      // Not a kind that can be explained: the parser reports it.
      {{"explain", "service/web"}, {"explain", "service/web"}},
      {{"explain", "deployments.batch/web"}, {"explain", "deployments.batch/web"}},
      {{"explain", "pods.apps", "web"}, {"explain", "pods.apps", "web"}},
      {{"explain"}, {"explain"}},
      {{"match", "po/web"}, {"match", "po/web"}},
      {{}, {}},
  };
  for (const auto& test : kCases) EXPECT_EQ(WithExplainedKind(test.words), test.want);
}

TEST(ExplainCommandsTest, AnUnknownKindIsAUsageError) {
  const Outcome outcome = RunForTest({"explain", "deploymnt", "web"});
  EXPECT_EQ(outcome.code, kExitUsage);
  EXPECT_TRUE(outcome.err.contains("Did you mean deployment?")) << outcome.err;
}

}  // namespace
}  // namespace plimsoll::cli
