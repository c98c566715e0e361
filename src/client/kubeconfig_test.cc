#include "client/kubeconfig.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "base/file.h"
#include "client/fake_server_for_test.h"

namespace plimsoll::client {
namespace {

using std::chrono::seconds;

// "CA", "CERT" and "KEY" in base64.
constexpr std::string_view kConfig = R"(
apiVersion: v1
kind: Config
current-context: admin@home
preferences: {}
clusters:
- name: home
  cluster:
    server: https://127.0.0.1:6443/
    certificate-authority-data: Q0E=
- name: lab
  cluster:
    server: https://10.0.0.1
    insecure-skip-tls-verify: true
    tls-server-name: lab.example
users:
- name: admin
  user:
    client-certificate-data: Q0VSVA==
    client-key-data: S0VZ
- name: robot
  user:
    token: secret
    as: someone
    as-uid: u1
    as-groups: [a, b]
    as-user-extra:
      scopes: [p, q]
- name: cloud
  user:
    exec: {command: aws}
contexts:
- name: admin@home
  context: {cluster: home, user: admin}
- name: robot@lab
  context: {cluster: lab, user: robot, namespace: prod}
- name: cloud@lab
  context: {cluster: lab, user: cloud}
- name: nobody@lab
  context: {cluster: lab}
)";

/// A folder for one process, because tests of another build may run at the same time. It is removed
/// before and after the test.
class Directory {
 public:
  explicit Directory(const std::string& name)
      : path_(testing::TempDir() + "kubeconfig_" + std::to_string(getpid()) + "_" + name) {
    std::filesystem::remove_all(path_);
  }
  ~Directory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;

  std::string operator/(std::string_view name) const { return path_ + "/" + std::string(name); }
  const std::string& path() const { return path_; }

 private:
  const std::string path_;
};

TEST(KubeconfigTest, ResolvesTheCurrentContext) {
  const Result<Kubeconfig> config = ParseKubeconfig(kConfig, "/etc");
  ASSERT_TRUE(config.has_value()) << config.error().Text();
  const Result<ClusterAccess> access = Resolve(*config);
  ASSERT_TRUE(access.has_value()) << access.error().Text();
  EXPECT_EQ(access->server, "https://127.0.0.1:6443");
  EXPECT_EQ(access->tls.ca_pem, "CA");
  EXPECT_EQ(access->tls.certificate_pem, "CERT");
  EXPECT_EQ(access->tls.key_pem, "KEY");
  EXPECT_FALSE(access->tls.skip_verify);
  EXPECT_EQ(access->namespace_, "default");
  EXPECT_EQ(access->token, nullptr);
}

TEST(KubeconfigTest, ResolvesANamedContext) {
  const Result<ClusterAccess> access = Resolve(*ParseKubeconfig(kConfig, "/etc"), "robot@lab");
  ASSERT_TRUE(access.has_value()) << access.error().Text();
  EXPECT_EQ(access->namespace_, "prod");
  EXPECT_TRUE(access->tls.skip_verify);
  EXPECT_EQ(access->tls.server_name, "lab.example");
  EXPECT_EQ(access->token(Instant()), "secret");
  std::string headers;
  for (const auto& [name, value] : access->headers) headers += name + "=" + value + " ";
  EXPECT_EQ(headers,
            "Impersonate-User=someone Impersonate-Uid=u1 Impersonate-Group=a Impersonate-Group=b "
            "Impersonate-Extra-scopes=p Impersonate-Extra-scopes=q ");
  EXPECT_TRUE(Resolve(*ParseKubeconfig(kConfig, "/etc"), "nobody@lab").has_value());
}

TEST(KubeconfigTest, FilesAreFoundBesideIt) {
  const Directory directory("files");
  const std::string text = R"(
current-context: c
clusters: [{name: k, cluster: {server: "https://h", certificate-authority: pki/ca.pem}}]
users: [{name: u, user: {client-certificate: )" +
                           directory.path() +
                           R"(/cert.pem, client-key: ./key.pem, tokenFile: token}}]
contexts: [{name: c, context: {cluster: k, user: u}}]
)";
  ASSERT_TRUE(WriteFile(directory / "config", text));
  ASSERT_TRUE(WriteFile(directory / "pki/ca.pem", "ca"));
  ASSERT_TRUE(WriteFile(directory / "cert.pem", "cert"));
  ASSERT_TRUE(WriteFile(directory / "key.pem", "key"));
  ASSERT_TRUE(WriteFile(directory / "token", "one\n"));
  const Result<Kubeconfig> config = ReadKubeconfig(directory / "config");
  ASSERT_TRUE(config.has_value()) << config.error().Text();
  const Result<ClusterAccess> access = Resolve(*config);
  ASSERT_TRUE(access.has_value()) << access.error().Text();
  EXPECT_EQ(access->tls.ca_pem, "ca");
  EXPECT_EQ(access->tls.certificate_pem, "cert");
  EXPECT_EQ(access->tls.key_pem, "key");
  EXPECT_EQ(access->token(Instant()), "one");
}

TEST(KubeconfigTest, CertificatesFollowTheirFilesAndTheKubeconfig) {
  const Directory directory("follow");
  const auto write = [&](std::string_view name, std::string_view text) {
    ASSERT_TRUE(WriteFile(directory / name, text).has_value());
  };
  const auto write_config = [&](std::string_view certificate) {
    write("config",
          "clusters: [{name: c, cluster: {server: 'https://h', "
          "certificate-authority: ca.crt}}]\n"
          "users: [{name: u, user: {client-certificate: " +
              std::string(certificate) +
              ", client-key: u.key}}]\n"
              "contexts: [{name: x, context: {cluster: c, user: u}}]\n"
              "current-context: x\n");
  };
  for (const auto& [name, text] :
       {std::pair("ca.crt", "CA"), {"u.crt", "CERT"}, {"v.crt", "OTHER"}, {"u.key", "KEY"}}) {
    write(name, text);
  }
  write_config("u.crt");
  const auto access = ResolveFile(directory / "config");
  ASSERT_TRUE(access.has_value()) << access.error().Text();
  EXPECT_EQ(access->tls.certificate_pem, "CERT");
  EXPECT_FALSE(access->tls_updates().has_value());
  write("u.crt", "CERT2");
  const auto changed = access->tls_updates();
  ASSERT_TRUE(changed.has_value());
  EXPECT_EQ(changed->certificate_pem, "CERT2");
  EXPECT_EQ(changed->key_pem, "KEY");
  EXPECT_FALSE(access->tls_updates().has_value());
  write_config("v.crt");
  EXPECT_EQ(access->tls_updates()->certificate_pem, "OTHER");
  write("u.crt", "CERT3");
  EXPECT_FALSE(access->tls_updates().has_value()) << "the kubeconfig names another file now";
  write("v.crt", "OTHER2");
  EXPECT_EQ(access->tls_updates()->certificate_pem, "OTHER2");
  write("config", "nonsense: [");
  EXPECT_FALSE(access->tls_updates().has_value());
}

TEST(KubeconfigTest, ATokenInAFileIsReadAgainAfterAMinute) {
  const Directory directory("token");
  const std::string path = directory / "token";
  ASSERT_TRUE(WriteFile(path, "one"));
  const auto token = TokenFromFile(path);
  EXPECT_EQ(token(Instant()), "one");
  ASSERT_TRUE(WriteFile(path, "two"));
  EXPECT_EQ(token(Instant(seconds(59))), "one");
  EXPECT_EQ(token(Instant(seconds(60))), "two");
  const auto missing = TokenFromFile(path + "s");
  EXPECT_EQ(missing(Instant()), "");
}

struct FaultCase {
  std::string name;
  std::string text;
  std::string context;
  std::string want;
};

class KubeconfigFaultTest : public testing::TestWithParam<FaultCase> {};

TEST_P(KubeconfigFaultTest, NamesTheField) {
  const Result<Kubeconfig> config = ParseKubeconfig(GetParam().text, "/nowhere");
  if (!config) {
    EXPECT_EQ(config.error().Text().substr(0, GetParam().want.size()), GetParam().want);
    return;
  }
  const Result<ClusterAccess> access = Resolve(*config, GetParam().context);
  ASSERT_FALSE(access.has_value());
  EXPECT_EQ(access.error().Text().substr(0, GetParam().want.size()), GetParam().want);
}

const std::string kOneContext =
    "current-context: c\ncontexts: [{name: c, context: {cluster: k, user: u}}]\n";
const std::string kOneCluster =
    kOneContext + "clusters: [{name: k, cluster: {server: 'https://h'}}]\n";

INSTANTIATE_TEST_SUITE_P(
    All, KubeconfigFaultTest,
    testing::ValuesIn<FaultCase>({
        {"NotYaml", "a: [", "", ""},
        {"NoObject", "[]", "", "must be an object"},
        {"AnotherKind", "kind: Pod", "", R"(kind: must be Config, is "Pod")"},
        {"Empty", "", "", "current-context: is not set, and no context was named"},
        {"ClustersNoList", "clusters: {}", "", "clusters: must be a list"},
        {"NoName", "users: [{user: {}}]", "", "users[0].name: may not be empty"},
        {"NoText", "clusters: [{name: k, cluster: {server: 1}}]", "",
         "clusters[0].cluster.server: must be a string"},
        {"NoBoolean", "clusters: [{name: k, cluster: {insecure-skip-tls-verify: 'yes'}}]", "",
         "clusters[0].cluster.insecure-skip-tls-verify: must be a boolean"},
        {"NoBase64", "users: [{name: a}, {name: u, user: {client-key-data: '?'}}]", "",
         "users[1].user.client-key-data: illegal base64 data at input byte 0"},
        {"GroupsNoList", "users: [{name: u, user: {as-groups: a}}]", "",
         "users[0].user.as-groups: must be a list"},
        {"ExtraNoLists", "users: [{name: u, user: {as-user-extra: {a: b}}}]", "",
         "users[0].user.as-user-extra.a: must be a list"},
        {"NoSuchCurrent", "current-context: x", "", R"(current-context: there is no context "x")"},
        {"NoSuchContext", kOneContext, "x", R"(contexts: there is no context "x")"},
        {"NoSuchCluster", kOneContext, "",
         R"(contexts[0].context.cluster: there is no cluster "k")"},
        {"NoSuchUser", kOneCluster, "", R"(contexts[0].context.user: there is no user "u")"},
        {"NoServer", kOneContext + "clusters: [{name: k}]", "",
         "clusters[0].cluster.server: may not be empty"},
        {"AProxy", kOneContext + "clusters: [{name: k, cluster: {server: s, proxy-url: p}}]", "",
         "clusters[0].cluster.proxy-url: proxies are not supported"},
        {"InsecureWithAuthority",
         kOneContext + "clusters: [{name: k, cluster: {server: s, insecure-skip-tls-verify: true, "
                       "certificate-authority-data: Q0E=}}]",
         "",
         "clusters[0].cluster.insecure-skip-tls-verify: may not be true when a certificate "
         "authority is given"},
        {"NoAuthorityFile",
         kOneContext + "clusters: [{name: k, cluster: {server: s, certificate-authority: a.pem}}]",
         "", "clusters[0].cluster.certificate-authority: "},
        {"AnExecPlugin", kOneCluster + "users: [{name: u, user: {exec: {command: x}}}]", "",
         "users[0].user.exec: is not supported: use client-certificate and client-key, token or "
         "tokenFile"},
        {"APassword", kOneCluster + "users: [{name: u, user: {username: x, password: y}}]", "",
         "users[0].user.username: is not supported"},
        {"NoKey", kOneCluster + "users: [{name: u, user: {client-certificate-data: Q0E=}}]", "",
         "users[0].user.client-key: must be given together with client-certificate"},
        {"NoCertificate", kOneCluster + "users: [{name: u, user: {client-key-data: Q0E=}}]", "",
         "users[0].user.client-certificate: must be given together with client-key"},
    }),
    [](const auto& test) { return test.param.name; });

TEST(KubeconfigTest, AnUnservedUserRefusesOnlyThoseWhoUseIt) {
  EXPECT_EQ(Resolve(*ParseKubeconfig(kConfig, ""), "cloud@lab").error().field,
            "users[2].user.exec");
}

TEST(KubeconfigTest, OfManyFilesTheFirstWins) {
  Kubeconfig first = *ParseKubeconfig("clusters: [{name: k, cluster: {server: one}}]", "");
  first.Merge(*ParseKubeconfig(
      "current-context: c\nclusters: [{name: k, cluster: {server: two}}, {name: l}]", ""));
  first.Merge(*ParseKubeconfig("current-context: d\nusers: [{name: u}]", ""));
  ASSERT_EQ(first.clusters.size(), 2u);
  EXPECT_EQ(first.clusters[0].server, "one");
  EXPECT_EQ(first.users.size(), 1u);
  EXPECT_EQ(first.current_context, "c");
}

TEST(KubeconfigTest, AFileWithAFaultIsNamed) {
  const Directory directory("fault");
  const std::string path = directory / "config";
  ASSERT_TRUE(WriteFile(path, "kind: Pod"));
  EXPECT_EQ(ReadKubeconfig(path).error().message, path + ": kind: must be Config, is \"Pod\"");
  EXPECT_EQ(ReadKubeconfig(path + "s").error().reason, Reason::NotFound);
}

TEST(ConnectTest, RefusesAServerThatIsNoUrl) {
  ManualClock clock;
  EXPECT_FALSE(Connect({.server = "nonsense"}, clock).has_value());
  EXPECT_TRUE(Connect({.server = "http://127.0.0.1:1"}, clock).has_value());
}

}  // namespace
}  // namespace plimsoll::client
