#include "cli/connect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "base/file.h"
#include "cli/run_for_test.h"
#include "store/temporary_directory.h"

namespace plimsoll::cli {
namespace {

using testing::HasSubstr;

/// Sets $KUBECONFIG during its lifetime.
class KubeconfigVariable {
 public:
  explicit KubeconfigVariable(const std::string& value) {
    if (const char* const before = std::getenv("KUBECONFIG")) before_ = before;
    setenv("KUBECONFIG", value.c_str(), 1);
  }
  ~KubeconfigVariable() {
    if (before_.empty()) {
      unsetenv("KUBECONFIG");
    } else {
      setenv("KUBECONFIG", before_.c_str(), 1);
    }
  }
  KubeconfigVariable(const KubeconfigVariable&) = delete;
  KubeconfigVariable& operator=(const KubeconfigVariable&) = delete;

 private:
  std::string before_;
};

TEST(ConnectTest, JoinsTheFilesOfTheVariableAsKubectlDoes) {
  const store::TemporaryDirectory directory;
  const std::string clusters = directory.path() + "/clusters";
  const std::string context = directory.path() + "/context";
  ASSERT_TRUE(WriteFile(
      clusters, "{clusters: [{name: c, cluster: {server: 'http://127.0.0.1:1'}}], users: []}"));
  ASSERT_TRUE(WriteFile(
      context, "{current-context: x, contexts: [{name: x, context: {cluster: c, user: ''}}]}"));
  const KubeconfigVariable variable(directory.path() + "/missing:" + clusters + ":" + context);
  const auto access = AccessForUser("");
  ASSERT_TRUE(access) << access.error().Text();
  EXPECT_EQ(access->access.server, "http://127.0.0.1:1");
}

TEST(ConnectTest, EveryCommandReadsTheVariable) {
  const store::TemporaryDirectory directory;
  const std::string pod = directory.path() + "/pod.yaml";
  ASSERT_TRUE(WriteFile(pod,
                        "{apiVersion: v1, kind: Pod, metadata: {name: p}, "
                        "spec: {containers: [{name: c, image: i}]}}"));
  const std::string missing = directory.path() + "/no-kubeconfig";
  const KubeconfigVariable variable(missing);
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
