#include "client/served_versions.h"

#include <gtest/gtest.h>

#include "client/fake_server_for_test.h"

namespace plimsoll::client {
namespace {

const api::KindDesc& Rules(std::string_view version) {
  return Kind("resource.k8s.io", version, "DeviceTaintRule");
}

/// Serves DeviceTaintRules in one version, and records the requests.
class OneVersionServer {
 public:
  explicit OneVersionServer(std::string version) : version_(std::move(version)) {}

  const Client& client() const { return client_; }
  void Serve(std::string version) { version_ = std::move(version); }
  /// Returns the requests since the last call.
  std::vector<std::string> Asked() { return std::exchange(asked_, {}); }

 private:
  net::Response Answer(const net::Request& request) {
    asked_.push_back(request.method + " " + request.target.substr(0, request.target.find('?')) +
                     (request.body.empty() ? "" : " " + request.body));
    const std::string& target = request.target;
    if (target == "/apis/resource.k8s.io") {
      return JsonResponse(R"({"versions":[{"version":"v1"},{"version":")" + version_ + R"("}]})");
    }
    if (target == "/apis/resource.k8s.io/v1" && version_ != "v1") {
      return JsonResponse(R"({"resources":[{"name":"resourceslices"}]})");
    }
    if (target == "/apis/resource.k8s.io/" + version_) {
      return JsonResponse(
          R"({"resources":[{"name":"devicetaintrules"},{"name":"devicetaintrules/status"}]})");
    }
    const std::string path = "/apis/resource.k8s.io/" + version_ + "/devicetaintrules";
    if (!target.starts_with(path)) return JsonResponse("404 page not found\n", 404);
    if (target.starts_with(path + "/absent")) {
      return JsonResponse(api::NotFound({"resource.k8s.io", "devicetaintrules", "absent"}).Json(),
                          404);
    }
    return JsonResponse(R"({"kind":"DeviceTaintRule","apiVersion":"resource.k8s.io/)" + version_ +
                        R"(","metadata":{"name":"r"},"spec":{"taint":{"key":"k"}}})");
  }

  std::string version_;
  std::vector<std::string> asked_;
  ManualClock clock_;
  FakeServer server_{[this](const net::Request& request) { return Answer(request); }};
  Client client_{server_.Connect(), clock_};
};

constexpr const char* kBody = R"({"apiVersion":"resource.k8s.io/v1","kind":"DeviceTaintRule"})";

TEST(ServedVersionsTest, WritesGoToTheVersionThatIsServed) {
  OneVersionServer server("v1alpha3");
  const auto created = server.client().Create({Rules("v1")}, kBody);
  ASSERT_TRUE(created) << created.error().message;
  EXPECT_EQ((*created)->kind().version, "v1alpha3");
  EXPECT_EQ(server.Asked(),
            (std::vector<std::string>{
                std::string("POST /apis/resource.k8s.io/v1/devicetaintrules ") + kBody,
                "GET /apis/resource.k8s.io", "GET /apis/resource.k8s.io/v1",
                "GET /apis/resource.k8s.io/v1alpha3",
                R"(POST /apis/resource.k8s.io/v1alpha3/devicetaintrules )"
                R"({"apiVersion":"resource.k8s.io/v1alpha3","kind":"DeviceTaintRule"})"}));
  PatchOptions apply;
  apply.type = PatchType::Apply;
  ASSERT_TRUE(server.client().Patch({Rules("v1"), {}, "r", "status"}, kBody, apply));
  ASSERT_TRUE(server.client().Delete({Rules("v1"), {}, "r"}));
  const std::vector<std::string> asked = server.Asked();
  ASSERT_EQ(asked.size(), 2u) << "the version is known by now";
  EXPECT_TRUE(
      asked[0].starts_with("PATCH /apis/resource.k8s.io/v1alpha3/devicetaintrules/r/status "
                           R"({"apiVersion":"resource.k8s.io/v1alpha3")"))
      << asked[0];
  EXPECT_TRUE(asked[1].starts_with("DELETE /apis/resource.k8s.io/v1alpha3/devicetaintrules/r "));
}

TEST(ServedVersionsTest, AServerThatIsUpgradedIsAskedAnew) {
  OneVersionServer server("v1alpha3");
  ASSERT_TRUE(server.client().Get({Rules("v1"), {}, "r"}));
  server.Serve("v1beta2");
  ASSERT_TRUE(server.client().Get({Rules("v1"), {}, "r"}));
  EXPECT_EQ(server.Asked().back(), "GET /apis/resource.k8s.io/v1beta2/devicetaintrules/r");
}

TEST(ServedVersionsTest, AnObjectThatIsMissingSaysNothingOfVersions) {
  OneVersionServer server("v1");
  EXPECT_FALSE(server.client().Get({Rules("v1"), {}, "absent"}));
  EXPECT_EQ(server.Asked().size(), 1u);
}

TEST(ServedVersionsTest, AKindThatIsNowhereServedIsNotFound) {
  OneVersionServer server("v9");
  const auto answer = server.client().Get({Rules("v1"), {}, "r"});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, 404);
}

TEST(ServedVersionsTest, OnlyVersionsOfTheSameFieldsAreAlike) {
  EXPECT_EQ(AlikeVersions(Rules("v1")).size(), 3u);
  EXPECT_EQ(AlikeVersions(Pods()).size(), 1u);
}

}  // namespace
}  // namespace plimsoll::client
