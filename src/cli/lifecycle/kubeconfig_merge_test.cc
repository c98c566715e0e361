#include "cli/lifecycle/kubeconfig_merge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "base/file.h"
#include "client/kubeconfig.h"
#include "store/temporary_directory_for_test.h"

namespace plimsoll::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string ServersKubeconfig(const std::string& name, const std::string& certificate) {
  return "apiVersion: v1\nkind: Config\nclusters:\n- name: " + name +
         "\n  cluster: {server: 'https://127.0.0.1:6443', certificate-authority-data: Q0E=}\n"
         "users:\n- name: " +
         name + "\n  user: {client-certificate-data: " + certificate +
         ", client-key-data: S0VZ}\ncontexts:\n- name: " + name + "\n  context: {cluster: " + name +
         ", user: " + name + "}\ncurrent-context: " + name + "\n";
}

constexpr std::string_view kOthers = R"(apiVersion: v1
kind: Config
preferences: {colors: true}
clusters:
- name: work
  cluster: {server: https://work.example.com, future-field: [1, 2.5]}
users:
- name: jane
  user: {token: abc}
contexts:
- name: work
  context: {cluster: work, user: jane, namespace: shop}
current-context: work
)";

class KubeconfigMergeTest : public testing::Test {
 protected:
  Status Merge(const std::string& certificate = "T05F", CurrentContext how = CurrentContext::Set) {
    return MergeKubeconfig(path_, entries_, ServersKubeconfig(entries_.name, certificate), how);
  }
  client::Kubeconfig Read() const { return client::ReadKubeconfig(path_).value(); }
  std::string Text() const { return ReadFile(path_).value(); }

  const store::TemporaryDirectory directory_;
  const std::string path_ = directory_.path() + "/kube/config";
  KubeconfigEntries entries_{"plimsoll", directory_.path() + "/data"};
};

TEST_F(KubeconfigMergeTest, CreatesTheFile) {
  ASSERT_TRUE(CheckKubeconfigMerge(path_, entries_));
  EXPECT_FALSE(std::filesystem::exists(directory_.path() + "/kube")) << "a check writes nothing";
  ASSERT_TRUE(Merge());
  const client::Kubeconfig config = Read();
  EXPECT_EQ(config.current_context, "plimsoll");
  EXPECT_EQ(client::Resolve(config)->server, "https://127.0.0.1:6443");
  struct stat facts{};
  ASSERT_EQ(stat(path_.c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777U, 0600U);
  EXPECT_TRUE(*RemoveKubeconfigEntries(path_, entries_));
  EXPECT_TRUE(Read().clusters.empty() && Read().users.empty() && Read().contexts.empty());
  EXPECT_EQ(Read().current_context, "");
}

TEST_F(KubeconfigMergeTest, KeepsAllThatOthersWrote) {
  ASSERT_TRUE(WriteFile(path_, kOthers));
  ASSERT_TRUE(Merge());
  EXPECT_EQ(Read().current_context, "plimsoll");
  EXPECT_EQ(client::Resolve(Read(), "work")->namespace_, "shop");
  EXPECT_THAT(Text(), HasSubstr("future-field:\n    - 1\n    - 2.5\n"));
  EXPECT_THAT(Text(), HasSubstr("colors: true"));
  EXPECT_TRUE(*RemoveKubeconfigEntries(path_, entries_));
  EXPECT_EQ(Read().current_context, "work") << "the context from before is current again";
  EXPECT_THAT(Text(), HasSubstr("future-field:\n    - 1\n    - 2.5\n"));
  EXPECT_THAT(Text(), Not(HasSubstr("plimsoll")));
  EXPECT_FALSE(*RemoveKubeconfigEntries(path_, entries_));
}

TEST_F(KubeconfigMergeTest, ReplacesItsOwnEntries) {
  ASSERT_TRUE(WriteFile(path_, kOthers));
  ASSERT_TRUE(Merge());
  ASSERT_TRUE(Merge("VFdP"));
  EXPECT_EQ(Read().users.size(), 2U);
  EXPECT_EQ(Read().users[1].client_certificate.text, "TWO");
  // A renewal does not move the user, who works in another context by now.
  std::string text = Text();
  text.replace(text.find("current-context: plimsoll"), 25, "current-context: work");
  ASSERT_TRUE(WriteFile(path_, text));
  ASSERT_TRUE(Merge("T05F", CurrentContext::Keep));
  EXPECT_EQ(Read().current_context, "work");
  EXPECT_EQ(Read().users[1].client_certificate.text, "ONE");
  EXPECT_TRUE(*RemoveKubeconfigEntries(path_, entries_));
  EXPECT_EQ(Read().current_context, "work");
}

TEST_F(KubeconfigMergeTest, LeavesEntriesOfOthersAlone) {
  KubeconfigEntries work = entries_;
  work.name = "work";
  ASSERT_TRUE(WriteFile(path_, kOthers));
  const Status taken = CheckKubeconfigMerge(path_, work);
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().reason, Reason::Invalid);
  EXPECT_THAT(taken.error().Text(),
              HasSubstr("has another cluster \"work\": choose another --cluster-name"));
  EXPECT_FALSE(*RemoveKubeconfigEntries(path_, work));
  EXPECT_EQ(Text(), kOthers);

  ASSERT_TRUE(Merge());
  const std::string merged = Text();
  ASSERT_TRUE(WriteFile(entries_.data_directory + "/pki/ca.crt", "x"));
  const KubeconfigEntries other{"plimsoll", directory_.path() + "/other"};
  EXPECT_THAT(CheckKubeconfigMerge(path_, other).error().Text(),
              HasSubstr("has another cluster \"plimsoll\", of " + entries_.data_directory + ":"));
  EXPECT_FALSE(*RemoveKubeconfigEntries(path_, other));
  EXPECT_EQ(Text(), merged);
  // Entries of a deleted data directory help nobody.
  std::filesystem::remove_all(entries_.data_directory);
  EXPECT_TRUE(CheckKubeconfigMerge(path_, other));
}

TEST_F(KubeconfigMergeTest, NeverTouchesAMalformedFile) {
  const struct {
    std::string_view text;
    std::string_view why;
  } kCases[] = {
      {"clusters: [", "is no kubeconfig: "},
      {"clusters: {}", "is no kubeconfig: clusters: must be a list"},
      {"users:\n- user: {}", "is no kubeconfig: users[0].name: may not be empty"},
      {"kind: Pod", "is no kubeconfig: kind: must be Config"},
      {"- a", "is no kubeconfig: "},
      {"kind: Config\n---\nkind: Config", "has several YAML documents"},
      {"kind: Config\nkind: Config", "has the key kind twice"},
      {"users:\n- name: a\n  user: {client-key-data: '%'}", "users[0].user.client-key-data"},
  };
  for (const auto& one : kCases) {
    ASSERT_TRUE(WriteFile(path_, one.text));
    for (const Status& status : {CheckKubeconfigMerge(path_, entries_), Merge()}) {
      ASSERT_FALSE(status) << one.text;
      EXPECT_EQ(status.error().reason, Reason::Invalid) << one.text;
      EXPECT_THAT(status.error().Text(), HasSubstr(one.why));
      EXPECT_THAT(status.error().Text(), HasSubstr("nothing was written"));
    }
    EXPECT_FALSE(RemoveKubeconfigEntries(path_, entries_).has_value()) << one.text;
    EXPECT_EQ(Text(), one.text);
  }
}

TEST_F(KubeconfigMergeTest, KeepsASymbolicLinkAndRespectsKubectlsLock) {
  const std::string real = directory_.path() + "/dotfiles/config";
  ASSERT_TRUE(WriteFile(real, kOthers));
  ASSERT_TRUE(MakeDirectory(directory_.path() + "/kube"));
  std::filesystem::create_symlink(real, path_);
  ASSERT_TRUE(Merge());
  EXPECT_TRUE(std::filesystem::is_symlink(path_));
  EXPECT_THAT(*ReadFile(real), HasSubstr("plimsoll"));
  ASSERT_TRUE(WriteFile(path_ + ".lock", ""));
  EXPECT_THAT(Merge().error().Text(), HasSubstr("is locked by another program"));
  EXPECT_TRUE(std::filesystem::exists(path_ + ".lock")) << "it belongs to the other program";
  std::filesystem::remove(path_ + ".lock");
  EXPECT_TRUE(Merge());
  EXPECT_FALSE(std::filesystem::exists(path_ + ".lock"));
}

TEST_F(KubeconfigMergeTest, FindsTheFileThatKubectlWrites) {
  const auto with = [](const char* kubeconfig, const char* home) {
    setenv("KUBECONFIG", kubeconfig, 1);
    setenv("HOME", home, 1);
    return FindUserKubeconfig();
  };
  const std::string before = std::getenv("HOME") == nullptr ? "" : std::getenv("HOME");
  EXPECT_EQ(*with("/a/b:/c", "/home/j"), "/a/b");
  EXPECT_EQ(*with("::/c", "/home/j"), "/c");
  EXPECT_EQ(*with("", "/home/j"), "/home/j/.kube/config");
  EXPECT_FALSE(with("", ""));
  setenv("HOME", before.c_str(), 1);
  unsetenv("KUBECONFIG");
}

}  // namespace
}  // namespace plimsoll::cli
