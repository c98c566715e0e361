#include "cli/lifecycle/kubeconfig_follower.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/file.h"
#include "base/virtual_clock.h"
#include "client/kubeconfig.h"
#include "store/temporary_directory_for_test.h"

namespace plimsoll::cli {
namespace {

using testing::HasSubstr;

std::string ServersKubeconfig(const std::string& certificate) {
  return "clusters: [{name: lab, cluster: {server: 'https://127.0.0.1:1'}}]\n"
         "users: [{name: lab, user: {client-certificate-data: " +
         certificate + "}}]\ncontexts: [{name: lab, context: {cluster: lab, user: lab}}]\n";
}

class KubeconfigFollowerTest : public testing::Test {
 protected:
  KubeconfigFollowerTest() {
    EXPECT_TRUE(WriteFile(from_, ServersKubeconfig("T05F")));
    EXPECT_TRUE(MergeKubeconfig(into_, entries_, ServersKubeconfig("T05F"), CurrentContext::Set));
  }
  std::string Certificate() const {
    return client::ReadKubeconfig(into_)->users.at(0).client_certificate.text;
  }

  const store::TemporaryDirectory directory_;
  const std::string from_ = directory_.path() + "/admin.kubeconfig";
  const std::string into_ = directory_.path() + "/config";
  const KubeconfigEntries entries_{"lab", directory_.path()};
  VirtualClock clock_;
  MemorySink sink_;
  Logger log_{clock_, sink_};
};

TEST_F(KubeconfigFollowerTest, ARenewedCertificateReachesTheUsersFile) {
  KubeconfigFollower follower({from_, into_, entries_}, clock_, log_);
  follower.Check();
  EXPECT_EQ(sink_.text(), "");
  ASSERT_TRUE(WriteFile(from_, ServersKubeconfig("VFdP")));
  follower.Check();
  EXPECT_EQ(Certificate(), "TWO");
  EXPECT_THAT(sink_.text(), HasSubstr("Renewed the entries"));
}

TEST_F(KubeconfigFollowerTest, TriesAgainAfterAFailure) {
  KubeconfigFollower follower({from_, into_, entries_}, clock_, log_);
  ASSERT_TRUE(WriteFile(into_ + ".lock", ""));
  ASSERT_TRUE(WriteFile(from_, ServersKubeconfig("VFdP")));
  follower.Check();
  EXPECT_EQ(Certificate(), "ONE");
  EXPECT_THAT(sink_.text(), HasSubstr("Cannot renew the entries"));
  std::filesystem::remove(into_ + ".lock");
  follower.Check();
  EXPECT_EQ(Certificate(), "TWO");
}

TEST_F(KubeconfigFollowerTest, AUserWhoRemovedTheEntriesDoesNotGetThemBack) {
  ASSERT_TRUE(WriteFile(into_, "kind: Config\n"));
  KubeconfigFollower follower({from_, into_, entries_}, clock_, log_);
  ASSERT_TRUE(WriteFile(from_, ServersKubeconfig("VFdP")));
  follower.Check();
  EXPECT_EQ(*ReadFile(into_), "kind: Config\n");
  EXPECT_EQ(sink_.text(), "");
}

}  // namespace
}  // namespace plimsoll::cli
