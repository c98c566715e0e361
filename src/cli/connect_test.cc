#include "cli/connect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/file.h"
#include "cli/run_for_test.h"
#include "service/kubeconfig_variable_for_test.h"
#include "store/temporary_directory_for_test.h"

namespace plimsoll::cli {
namespace {

using testing::HasSubstr;

TEST(ConnectTest, EveryCommandReadsTheVariable) {
  const store::TemporaryDirectory directory;
  const std::string pod = directory.path() + "/pod.yaml";
  ASSERT_TRUE(WriteFile(pod,
                        "{apiVersion: v1, kind: Pod, metadata: {name: p}, "
                        "spec: {containers: [{name: c, image: i}]}}"));
  const std::string missing = directory.path() + "/no-kubeconfig";
  const service::KubeconfigVariable variable(missing);
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"scheduler"},
        {"controller-manager"},
        {"kubelet"},
        {"match", "--pod", pod},
        {"snapshot", "save", directory.path() + "/s", "--server"}}) {
    const Outcome outcome = RunForTest(words);
    EXPECT_EQ(outcome.code, kExitUsage) << words.front();
    EXPECT_THAT(outcome.err, HasSubstr("no-kubeconfig")) << words.front();
  }
}

}  // namespace
}  // namespace plimsoll::cli
