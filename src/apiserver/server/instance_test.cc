#include "apiserver/server/instance.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <chrono>
#include <filesystem>
#include <semaphore>

#include "apiserver/admission/chain.h"
#include "apiserver/response/negotiation.h"
#include "apiserver/server/api_server.h"
#include "apiserver/server/documents.h"
#include "apiserver/server/local_bootstrap.h"
#include "apiserver/server/resource_endpoints.h"
#include "apiserver/server/version.h"
#include "base/file.h"
#include "base/real_clock.h"
#include "base/text/base64.h"
#include "codec/json.h"
#include "codec/yaml.h"
#include "net/client.h"
#include "net/pki.h"

namespace plimsoll::apiserver {
namespace {

/// Server on a free port with its objects in memory. The client uses TLS, like kubectl.
class InstanceTest : public testing::Test {
 protected:
  InstanceTest() {
    std::string pattern = testing::TempDir() + "instance_test_XXXXXX";
    directory_ = mkdtemp(pattern.data());
    Start();
  }
  ~InstanceTest() override {
    transport_.reset();
    server_.reset();
    std::filesystem::remove_all(directory_);
  }

  void Start(bool is_stored_in_memory = true, InstanceOptions options = {}) {
    options.data_directory = directory_;
    options.is_stored_in_memory = is_stored_in_memory;
    options.port = 0;
    options.audit.log.path = directory_ + "/audit.log";
    metrics_ = std::make_unique<MetricsRegistry>();
    auto started = Instance::Start(options, clock_, log_, *metrics_);
    ASSERT_TRUE(started.has_value()) << started.error().Text();
    server_ = *std::move(started);
    Connect();
  }

  void Connect() {
    const auto text = ReadFile(server_->kubeconfig_path());
    const auto documents = codec::ParseYaml(*text);
    const codec::Value& root = documents->front()->root();
    const codec::Value& cluster = *root.Find("clusters")->items()[0].Find("cluster");
    const codec::Value& user = *root.Find("users")->items()[0].Find("user");
    const auto pem = [](const codec::Value& of, std::string_view field) {
      return *DecodeBase64(of.Find(field)->text());
    };
    auto connected = net::ConnectTo(std::string(cluster.Find("server")->text()),
                                    {.ca_pem = pem(cluster, "certificate-authority-data"),
                                     .certificate_pem = pem(user, "client-certificate-data"),
                                     .key_pem = pem(user, "client-key-data")});
    ASSERT_TRUE(connected.has_value()) << connected.error().Text();
    transport_ = *std::move(connected);
  }

  /// Sends the request and returns `<code> <body>`.
  std::string Ask(std::string method, std::string target, std::string body = {},
                  net::Headers headers = {}) {
    net::Request request;
    request.method = std::move(method);
    request.target = std::move(target);
    request.body = std::move(body);
    request.headers = std::move(headers);
    const auto response = transport_->Fetch(std::move(request), std::chrono::seconds(30), nullptr);
    if (!response) return response.error().Text();
    last_headers_ = response->headers;
    return std::to_string(response->status) + " " + response->body;
  }

  RealClock clock_;
  MemorySink sink_;
  Logger log_{clock_, sink_};
  std::string directory_;
  std::unique_ptr<MetricsRegistry> metrics_;
  std::unique_ptr<Instance> server_;
  std::unique_ptr<net::Transport> transport_;
  net::Headers last_headers_;
};

constexpr std::string_view kMap = R"({"metadata":{"name":"a"},"data":{"k":"v"}})";
constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";

TEST_F(InstanceTest, HasWhatEveryClusterHas) {
  EXPECT_TRUE(Ask("GET", "/api/v1/namespaces/kube-system").starts_with("200 "));
  EXPECT_TRUE(Ask("GET", "/apis/rbac.authorization.k8s.io/v1/clusterroles/cluster-admin")
                  .starts_with("200 "));
  EXPECT_TRUE(Ask("GET", "/api/v1/namespaces/default/services/kubernetes").contains("10.96.0.1"));
  EXPECT_EQ(Ask("GET", "/readyz"), "200 ok");
}

TEST_F(InstanceTest, ShowsTheDeepestObjectInEveryForm) {
  constexpr std::size_t kLevels = 198;  // below `data` of the object: 200 levels in total
  const std::string deep = std::string(kLevels, '[') + std::string(kLevels, ']');
  const std::string target = "/apis/apps/v1/namespaces/default/controllerrevisions";
  const std::string made =
      Ask("POST", target, R"({"metadata":{"name":"a"},"revision":1,"data":[)" + deep + "]}");
  ASSERT_TRUE(made.starts_with("201 ")) << made.substr(0, 500);
  for (const std::string_view accept :
       {"application/json", "application/yaml", "application/json;as=Table;v=v1;g=meta.k8s.io",
        "application/yaml;as=Table;v=v1;g=meta.k8s.io",
        "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io"}) {
    for (const std::string& path : {target, target + "/a"}) {
      for (const std::string_view query : {"", "?includeObject=Object&pretty=true"}) {
        const std::string got =
            Ask("GET", path + std::string(query), {}, {{"Accept", std::string(accept)}});
        EXPECT_TRUE(got.starts_with("200 ") || got.starts_with("406 "))
            << accept << " " << path << query << ": " << got.substr(0, 200);
      }
    }
  }
}

TEST_F(InstanceTest, SaysWhichPortItGot) {
  const std::string port = std::to_string(server_->port());
  EXPECT_TRUE(Ask("GET", "/api").contains("\"127.0.0.1:" + port + "\""));
  EXPECT_TRUE(Ask("GET", "/api/v1/namespaces/default/services/kubernetes")
                  .contains("\"targetPort\":" + port));
}

TEST_F(InstanceTest, AnObjectComesAndGoes) {
  EXPECT_TRUE(Ask("POST", std::string(kMaps), std::string(kMap)).starts_with("201 "));
  EXPECT_TRUE(Ask("GET", std::string(kMaps) + "/a").contains(R"("data":{"k":"v"})"));
  EXPECT_TRUE(Ask("GET", std::string(kMaps)).contains("ConfigMapList"));
  EXPECT_TRUE(Ask("PATCH", std::string(kMaps) + "/a", R"({"data":{"k":"w"}})",
                  {{"Content-Type", "application/merge-patch+json"}})
                  .contains(R"("k":"w")"));
  EXPECT_TRUE(Ask("DELETE", std::string(kMaps) + "/a").starts_with("200 "));
  EXPECT_TRUE(Ask("GET", std::string(kMaps) + "/a").starts_with("404 "));
}

TEST_F(InstanceTest, WhatIsInvalidIsLogged) {
  const std::string bad = R"({"metadata":{"name":"A"}})";
  EXPECT_TRUE(Ask("POST", std::string(kMaps), bad).starts_with("422 "));
  EXPECT_TRUE(sink_.text().contains(
      R"("Rejected an invalid object" verb="create" path="/api/v1/namespaces/default/configmaps")"));
  EXPECT_TRUE(sink_.text().contains("metadata.name: Invalid value"));
}

TEST_F(InstanceTest, FewRefusalsOfManyAreLogged) {
  const std::string bad = R"({"metadata":{"name":"A"}})";
  const Instant start = clock_.Now();
  for (int i = 0; i < 100; ++i) Ask("POST", std::string(kMaps), bad);
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(clock_.Now() - start);
  std::size_t lines = 0;
  for (std::size_t at = 0; (at = sink_.text().find("Rejected an", at)) != std::string::npos; ++at) {
    ++lines;
  }
  EXPECT_GE(lines, 1U);
  EXPECT_LE(lines, static_cast<std::size_t>(kRefusalsLoggedPerSecond * (seconds.count() + 2)));
}

TEST_F(InstanceTest, ARefusalNamesTheGateThatIsOff) {
  server_.reset();
  InstanceOptions options;
  options.gates.Set(api::Feature::TaintTolerationComparisonOperators, false);
  Start(true, options);
  const std::string answer =
      Ask("POST", "/api/v1/namespaces/default/pods",
          R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}],)"
          R"("tolerations":[{"key":"k","operator":"Lt","value":"5"}]}})");
  EXPECT_TRUE(answer.starts_with("422 ")) << answer;
  EXPECT_TRUE(last_headers_.Find("Warning").contains(
      "operator Lt needs the feature gate TaintTolerationComparisonOperators, which is off"))
      << last_headers_.Find("Warning");
}

TEST_F(InstanceTest, AVersionThatIsSwitchedOffIsNotServed) {
  server_.reset();
  InstanceOptions options;
  const std::vector<std::string> settings = {"resource.k8s.io/v1beta2=false", "api/alpha=false"};
  options.runtime_config = *RuntimeConfig::Parse(settings);
  Start(true, options);
  EXPECT_TRUE(Ask("GET", "/apis/resource.k8s.io/v1/deviceclasses").starts_with("200 "));
  EXPECT_TRUE(Ask("GET", "/apis/resource.k8s.io/v1beta2/deviceclasses").starts_with("404 "));
  EXPECT_TRUE(Ask("GET", "/apis/resource.k8s.io/v1beta2").starts_with("404 "));
  EXPECT_TRUE(Ask("GET", "/apis/resource.k8s.io/v1alpha3/devicetaintrules").starts_with("404 "));
  EXPECT_FALSE(Ask("GET", "/apis").contains("v1beta2"));
  EXPECT_FALSE(Ask("GET", "/apis/resource.k8s.io").contains("v1beta2"));
  EXPECT_FALSE(Ask("GET", "/openapi/v3").contains("resource.k8s.io/v1beta2"));
  EXPECT_FALSE(Ask("GET", "/").contains("v1alpha3"));
}

TEST_F(InstanceTest, ProfilesAreServedUnlessSwitchedOff) {
  EXPECT_TRUE(Ask("GET", "/debug/pprof/").contains("profile?seconds="));
  EXPECT_TRUE(Ask("GET", "/debug/pprof/profile?seconds=1").starts_with("200 "));
  server_.reset();
  InstanceOptions options;
  options.has_profiling = false;
  Start(true, options);
  EXPECT_TRUE(Ask("GET", "/debug/pprof/").starts_with("404 "));
}

TEST_F(InstanceTest, NothingOfASecretIsLogged) {
  const std::string secrets = "/api/v1/namespaces/default/secrets";
  EXPECT_TRUE(Ask("POST", secrets, R"({"metadata":{"name":"s"},"data":{"k":"c2VjcmV0"}})")
                  .starts_with("201 "));
  EXPECT_TRUE(Ask("PATCH", secrets + "/s", R"({"type":{"of":"c2VjcmV0"}})",
                  {{"Content-Type", "application/merge-patch+json"}})
                  .starts_with("422 "));
  EXPECT_TRUE(Ask("POST", secrets, R"({"metadata":{"name":"s","labels":{"a":"c2VjcmV0="}}})")
                  .starts_with("422 "));
  EXPECT_TRUE(sink_.text().contains(
      R"("Rejected an invalid object" verb="create" path="/api/v1/namespaces/default/secrets")"));
  EXPECT_FALSE(sink_.text().contains("c2VjcmV0")) << sink_.text();
}

TEST_F(InstanceTest, AnswersInTheFormThatIsAskedFor) {
  Ask("POST", std::string(kMaps), std::string(kMap));
  const std::string one = std::string(kMaps) + "/a";
  EXPECT_TRUE(Ask("GET", one, {}, {{"Accept", "application/yaml"}}).contains("data:\n  k: v\n"));
  EXPECT_TRUE(Ask("GET", one, {}, {{"Accept", "application/json;as=Table;v=v1;g=meta.k8s.io"}})
                  .contains(R"("kind":"Table")"));
  EXPECT_TRUE(Ask("GET", one, {}, {{"Accept", "text/html"}}).starts_with("406 "));
  EXPECT_TRUE(Ask("GET", one, {}, {{"User-Agent", "curl/8"}}).contains("\n    \"kind\""));
}

TEST_F(InstanceTest, ServesItsDocuments) {
  EXPECT_EQ(Ask("GET", "/version"), "200 " + VersionJson());
  EXPECT_TRUE(Ask("GET", "/api").contains("APIVersions"));
  EXPECT_TRUE(Ask("GET", "/apis/apps/v1").contains("\"deployments/scale\""));
  EXPECT_TRUE(Ask("GET", "/openapi/v3").contains("/openapi/v3/api/v1?hash="));
  EXPECT_TRUE(Ask("GET", "/openapi/v3/api/v1").contains("\"openapi\""));
  EXPECT_TRUE(Ask("GET", "/openapi/v3/api/v1?hash=old").starts_with("301 "));
  EXPECT_TRUE(Ask("GET", "/metrics").contains("apiserver_request_total"));
  EXPECT_TRUE(Ask("GET", "/metrics/pods").contains("# TYPE kube_pod_status_phase gauge\n"));
  EXPECT_TRUE(Ask("GET", "/").contains("\"/apis/apps/v1\""));
  EXPECT_TRUE(Ask("GET", "/nowhere").starts_with("404 "));
  Ask("GET", "/apis");
  const std::string etag(last_headers_.Find("ETag"));
  EXPECT_EQ(Ask("GET", "/apis", {}, {{"If-None-Match", etag}}), "304 ");
}

struct VerbCase {
  std::string method;
  std::string target;
  std::string code;
};

TEST_F(InstanceTest, RefusesWhatIsNotServed) {
  for (const VerbCase& test : std::vector<VerbCase>{
           {"POST", "/api/v1/pods", "405"},
           {"POST", "/api/v1/namespaces/default/pods/x", "405"},
           {"GET", "/api/v1/namespaces/default/nodes", "404"},
           {"GET", "/api/v1/namespaces/default/pods/x/exec", "404"},
           {"DELETE", "/api/v1/namespaces/default/pods/x/status", "405"},
           {"GET", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", "405"},
           {"DELETE", "/version", "405"},
       }) {
    EXPECT_TRUE(Ask(test.method, test.target, "{}").starts_with(test.code))
        << test.method << " " << test.target;
  }
}

TEST_F(InstanceTest, WritesDownWhoDidWhat) {
  Ask("POST", std::string(kMaps), std::string(kMap));
  server_->Drain(std::chrono::seconds(5));
  const auto log = ReadFile(directory_ + "/audit.log");
  ASSERT_TRUE(log.has_value());
  EXPECT_TRUE(log->contains(R"("username":"kubernetes-admin")")) << *log;
  EXPECT_FALSE(log->contains("\"k\":\"v\"")) << "never what was written";
}

/// Disconnects when the response begins, and keeps the clock's thread busy meanwhile.
class Leaver final : public net::StreamReceiver {
 public:
  explicit Leaver(Clock& clock) : clock_(clock) {}
  bool OnHead(int /*status*/, const net::Headers& /*headers*/) override {
    clock_.At(clock_.Now(), [this] { never_.try_acquire_for(std::chrono::milliseconds(20)); });
    return false;
  }
  bool OnPiece(net::Piece /*piece*/) override { return false; }

 private:
  Clock& clock_;
  std::binary_semaphore never_{0};
};

TEST_F(InstanceTest, NoWatchOutlivesIt) {
  Leaver leaver(clock_);
  net::Request request;
  request.method = "GET";
  request.target = "/api/v1/pods?watch=true";
  const auto local = net::ConnectLocally(
      server_->handler(), {.user = "a", .groups = {"system:masters", "system:authenticated"}});
  EXPECT_TRUE(local->Receive(std::move(request), leaver, nullptr).has_value());
  transport_.reset();
  server_.reset();
  const std::string text = metrics_->Text();
  const std::size_t line = text.find("\napiserver_longrunning_requests{");
  ASSERT_NE(line, std::string::npos) << text;
  EXPECT_TRUE(text.substr(line + 1, text.find('\n', line + 1) - line - 1).ends_with(" 0"));
}

TEST_F(InstanceTest, FindsItsDataAgain) {
  transport_.reset();
  server_.reset();
  Start(/*is_stored_in_memory=*/false);
  EXPECT_TRUE(Ask("POST", std::string(kMaps), std::string(kMap)).starts_with("201 "));
  transport_.reset();
  server_.reset();
  Start(/*is_stored_in_memory=*/false);
  EXPECT_TRUE(Ask("GET", std::string(kMaps) + "/a").starts_with("200 "));
}

}  // namespace
}  // namespace plimsoll::apiserver
