#include "apiserver/subresource/pod_stream.h"

#include <gtest/gtest.h>

#include "apiserver/write/writer_for_test.h"

namespace plimsoll::apiserver {
namespace {

/// One pod without a node, one with two containers on a simulated node, one on an adopted node.
/// One is on a node of another agent, one on a deleted node. One outlived its simulated node.
class PodStreamTest : public testing::Test {
 protected:
  PodStreamTest() {
    PutNode("sim", R"({"nodeInfo":{"containerRuntimeVersion":"simulated://1.0.0"}})");
    PutNode("adopted", R"({})", R"(,"annotations":{"plimsoll.io/simulated":"true"})");
    PutNode("real", R"({"nodeInfo":{"containerRuntimeVersion":"containerd://1.7.0"}})");
    PutPod("waiting", "", kOne);
    PutPod("web", "sim",
           R"("initContainers":[{"name":"init"}],)"
           R"("containers":[{"name":"a"},{"name":"b"}])");
    PutPod("kept", "adopted", kOne);
    PutPod("foreign", "real", kOne);
    PutPod("lost", "gone", kOne);
    PutPod("outlived", "gone", kOne, R"({"containerStatuses":[{"containerID":"simulated://1"}]})");
  }

  /// Returns the code and the message.
  std::string Ask(const std::string& method, const std::string& path) {
    ApiRequest request =
        server_.MakeRequest(method, "/api/v1/namespaces/default/pods/" + path, {}, {});
    EXPECT_TRUE(request.is_verb_served) << path;
    EXPECT_TRUE(IsPodStream(request)) << path;
    const api::Answer<net::Response> answer = ServePodStream(server_.writer(), request);
    if (answer) return std::to_string(answer->status);
    return std::to_string(answer.error().code) + " " + answer.error().message;
  }

  WriterFixture server_;

 private:
  static constexpr const char* kOne = R"("containers":[{"name":"c"}])";

  void PutNode(const std::string& name, const std::string& status, const std::string& meta = "") {
    server_.CacheFixture::Put(server_.Of("nodes"), "", name, R"(,"status":)" + status, meta);
  }
  void PutPod(const std::string& name, const std::string& node, const std::string& containers,
              const std::string& status = "{}") {
    server_.CacheFixture::Put(
        server_.Of("pods"), "default", name,
        R"(,"spec":{"nodeName":")" + node + R"(",)" + containers + R"(},"status":)" + status);
  }
};

TEST_F(PodStreamTest, SaysWhyThereIsNoStream) {
  const struct {
    const char* method;
    const char* path;
    const char* want;
  } kCases[] = {
      {"GET", "none/log", R"(404 pods "none" not found)"},
      {"POST", "none/exec?command=ls", R"(404 pods "none" not found)"},
      {"GET", "waiting/log", "204"},
      {"GET", "waiting/log?container=x", "400 container x is not valid for pod waiting"},
      {"POST", "waiting/exec?command=ls", "400 pod waiting does not have a host assigned"},
      {"GET", "waiting/portforward", "400 pod waiting does not have a host assigned"},
      {"GET", "web/log",
       "400 a container name must be specified for pod web, choose one of: [init a b]"},
      {"POST", "web/attach?container=nope", "400 container nope is not valid for pod web"},
      {"GET", "web/log?container=a",
       R"(501 containers of pod "web" are simulated: node "sim" runs no containers, so there are no logs)"},
      {"GET", "web/exec?container=init&command=ls",
       R"(501 containers of pod "web" are simulated: node "sim" runs no containers, so no command can run in them)"},
      {"POST", "web/attach?container=b",
       R"(501 containers of pod "web" are simulated: node "sim" runs no containers, so there is no process to attach to)"},
      {"POST", "web/portforward",
       R"(501 containers of pod "web" are simulated: node "sim" runs no containers, so there is no port to forward to)"},
      {"GET", "kept/log",
       R"(501 containers of pod "kept" are simulated: node "adopted" runs no containers, so there are no logs)"},
      {"GET", "foreign/log",
       R"(501 pod "foreign" is on node "real", and this server does not forward requests to kubelets)"},
      {"POST", "lost/exec?command=ls", R"(404 nodes "gone" not found)"},
      {"GET", "outlived/log",
       R"(501 containers of pod "outlived" are simulated: node "gone" runs no containers, so there are no logs)"},
  };
  for (const auto& test : kCases) {
    EXPECT_EQ(Ask(test.method, test.path), test.want) << test.path;
  }
}

TEST_F(PodStreamTest, OtherSubresourcesAreNoStreams) {
  for (const char* const path : {"", "/status", "/eviction", "/binding"}) {
    const ApiRequest request = server_.MakeRequest(
        "POST", std::string("/api/v1/namespaces/default/pods/web") + path, {}, {});
    EXPECT_FALSE(IsPodStream(request)) << path;
  }
  const ApiRequest proxy =
      server_.MakeRequest("GET", "/api/v1/namespaces/default/pods/web/proxy", {}, {});
  EXPECT_TRUE(proxy.refusal.has_value()) << "pods/proxy is not served";
}

}  // namespace
}  // namespace plimsoll::apiserver
