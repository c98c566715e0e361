#include "service/connect.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "service/kubeconfig_variable_for_test.h"

namespace plimsoll::service {
namespace {

TEST(ConnectTest, JoinsTheFilesOfTheVariableAsKubectlDoes) {
  const std::string directory = testing::TempDir();
  const std::string clusters = directory + "/connect_test.clusters";
  const std::string context = directory + "/connect_test.context";
  ASSERT_TRUE(WriteFile(
      clusters, "{clusters: [{name: c, cluster: {server: 'http://127.0.0.1:1'}}], users: []}"));
  ASSERT_TRUE(WriteFile(
      context, "{current-context: x, contexts: [{name: x, context: {cluster: c, user: ''}}]}"));
  const KubeconfigVariable variable(directory + "/connect_test.missing:" + clusters + ":" +
                                    context);
  const auto access = FindServerAccess("", "no server");
  ASSERT_TRUE(access) << access.error().Text();
  EXPECT_EQ(access->access.server, "http://127.0.0.1:1");
  EXPECT_TRUE(FindServerAccess("", "no server", "x").has_value());
  EXPECT_FALSE(FindServerAccess("", "no server", "y").has_value());
  EXPECT_EQ(FindKubeconfig("", "no server").value().config.contexts.size(), 1U);
  const KubeconfigVariable wrong(directory + "/connect_test.missing");
  EXPECT_TRUE(FindServerAccess("", "no server").error().message.starts_with("no server ("));
}

}  // namespace
}  // namespace plimsoll::service
