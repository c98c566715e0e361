#include "apiserver/request/request_info.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace plimsoll::apiserver {
namespace {

struct InfoCase {
  std::string method;
  std::string target;
  std::string want;  // verb group/version namespace resource/subresource name, `-` for empty
};

class RequestInfoTest : public testing::TestWithParam<InfoCase> {};

std::string Shown(const RequestInfo& info) {
  const auto or_dash = [](const std::string& text) { return text.empty() ? "-" : text; };
  if (!info.is_resource_request) return fmt::format("{} {}", info.verb, info.path);
  return fmt::format("{} {}/{} {} {}/{} {}", info.verb, or_dash(info.group), info.version,
                     or_dash(info.namespace_), info.resource, or_dash(info.subresource),
                     or_dash(info.name));
}

TEST_P(RequestInfoTest, Reads) {
  const auto target = net::ParseTarget(GetParam().target);
  ASSERT_TRUE(target.has_value());
  EXPECT_EQ(Shown(ReadRequestInfo(GetParam().method, *target)), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(
    All, RequestInfoTest,
    testing::ValuesIn<InfoCase>({
        {"GET", "/api/v1/namespaces/d/pods", "list -/v1 d pods/- -"},
        {"GET", "/api/v1/pods", "list -/v1 - pods/- -"},
        {"GET", "/api/v1/pods?watch=true", "watch -/v1 - pods/- -"},
        {"GET", "/api/v1/pods?watch=1&fieldSelector=metadata.name%3Dx", "watch -/v1 - pods/- x"},
        {"GET", "/api/v1/namespaces/d/pods/x", "get -/v1 d pods/- x"},
        {"HEAD", "/api/v1/namespaces/d/pods/x", "get -/v1 d pods/- x"},
        {"POST", "/api/v1/namespaces/d/pods", "create -/v1 d pods/- -"},
        {"POST", "/api/v1/namespaces/d/pods/x/binding", "create -/v1 d pods/binding x"},
        {"PUT", "/api/v1/nodes/n/status", "update -/v1 - nodes/status n"},
        {"PATCH", "/apis/apps/v1/namespaces/d/deployments/x", "patch apps/v1 d deployments/- x"},
        {"DELETE", "/api/v1/namespaces/d/pods", "deletecollection -/v1 d pods/- -"},
        {"DELETE", "/api/v1/namespaces/d/pods/x", "delete -/v1 d pods/- x"},
        {"GET", "/api/v1/namespaces", "list -/v1 - namespaces/- -"},
        {"GET", "/api/v1/namespaces/d", "get -/v1 d namespaces/- d"},
        {"PUT", "/api/v1/namespaces/d/finalize", "update -/v1 d namespaces/finalize d"},
        {"GET", "/api/v1", "get /api/v1"},
        {"GET", "/apis/apps/v1", "get /apis/apps/v1"},
        {"GET", "/healthz", "get /healthz"},
        {"GET", "/", "get /"},
        {"GET", "//api/v1/pods", "get //api/v1/pods"},
        {"GET", "/api/v1//pods", "get /api/v1//pods"},
        {"GET", "/api/v1/namespaces/../pods", "get /api/v1/namespaces/../pods"},
        {"GET", "/api/v1/namespaces/%2e%2e/pods", "get /api/v1/namespaces/../pods"},
    }));

}  // namespace
}  // namespace plimsoll::apiserver
