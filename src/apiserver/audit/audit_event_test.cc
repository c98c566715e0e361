#include "apiserver/audit/audit_event.h"

#include <gtest/gtest.h>

#include <memory>

#include "apiserver/audit/audit_record.h"

namespace plimsoll::apiserver {
namespace {

using std::chrono::microseconds;
using std::chrono::seconds;

constexpr Instant kStart{seconds(1'772'366'400)};

ApiRequest MakeRequest(
    std::string method = "PATCH",
    std::string target = "/apis/apps/v1/namespaces/a/deployments/web/scale?x=1") {
  static const ResourceTable table;
  ApiRequest request(net::Request{.method = method, .target = target},
                     ParseRequest(method, target, table));
  request.http.body = "secret";
  request.http.remote_address = "127.0.0.1:5123";
  request.http.headers = {{"User-Agent", "kubectl"}};
  request.user.name = "jane";
  request.user.groups = {"devs"};
  request.audit_id = "id";
  request.received = kStart;
  request.decision = Decision{true, "RBAC: fine"};
  return request;
}

TEST(AuditLineTest, SaysWhoAndWhatAndNoBody) {
  AuditEvent event;
  event.code = 200;
  event.now = kStart + microseconds(1500);
  EXPECT_EQ(AuditLine(MakeRequest(), event),
            R"({"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"id",)"
            R"("stage":"ResponseComplete",)"
            R"("requestURI":"/apis/apps/v1/namespaces/a/deployments/web/scale?x=1","verb":"patch",)"
            R"("user":{"username":"jane","groups":["devs"]},"sourceIPs":["127.0.0.1"],)"
            R"("userAgent":"kubectl","objectRef":{"resource":"deployments","namespace":"a",)"
            R"("name":"web","apiGroup":"apps","apiVersion":"v1","subresource":"scale"},)"
            R"("responseStatus":{"metadata":{},"code":200},)"
            R"("requestReceivedTimestamp":"2026-03-01T12:00:00.000000Z",)"
            R"("stageTimestamp":"2026-03-01T12:00:00.001500Z",)"
            R"("annotations":{"authorization.k8s.io/decision":"allow",)"
            R"("authorization.k8s.io/reason":"RBAC: fine"}})"
            "\n");
}

TEST(AuditLineTest, NamesWhoImpersonatesAndWhyItWasRefused) {
  ApiRequest request = MakeRequest("GET", "/version");
  request.impersonator.emplace().name = "root";
  request.http.headers = {{"User-Agent", std::string(2000, 'x')}};
  request.decision = Decision{false, ""};
  AuditEvent event;
  event.code = 403;
  event.now = kStart;
  event.status_json = api::Forbidden({"apps", "deployments", "web"}, "no").Json();
  const std::string line = AuditLine(request, event);
  EXPECT_NE(line.find(R"("user":{"username":"root"},"impersonatedUser":{"username":"jane")"),
            std::string::npos);
  EXPECT_NE(line.find(std::string(1024, 'x') + R"(...TRUNCATED","responseStatus")"),
            std::string::npos);
  EXPECT_NE(line.find(R"("responseStatus":{"metadata":{},"status":"Failure",)"
                      R"("message":"deployments.apps \"web\" is forbidden: no",)"
                      R"("reason":"Forbidden","details":{"name":"web","group":"apps",)"
                      R"("kind":"deployments"},"code":403})"),
            std::string::npos)
      << line;
  EXPECT_NE(line.find(R"("authorization.k8s.io/decision":"forbid")"), std::string::npos);
}

/// Returns the text of the line between `begin` and `end`.
std::string Between(const std::string& line, std::string_view begin, std::string_view end) {
  const std::size_t from = line.find(begin);
  if (from == std::string::npos) return "none";
  const std::size_t to = line.find(end, from + begin.size());
  return line.substr(from, to - from);
}

TEST(AuditLineTest, TheLevelSaysWhichObjectsItHolds) {
  ApiRequest request = MakeRequest();
  request.audit = std::make_shared<AuditRecord>();
  request.audit->request_object = R"({"a":1})";
  AuditEvent event;
  event.code = 200;
  event.response_json = R"({"b":2})";
  const auto objects = [&](AuditLevel level) {
    request.audit->rule.level = level;
    return Between(AuditLine(request, event), R"("code":200},)", R"("requestReceivedTimestamp")");
  };
  EXPECT_EQ(objects(AuditLevel::Metadata), R"("code":200},)");
  EXPECT_EQ(objects(AuditLevel::Request), R"("code":200},"requestObject":{"a":1},)");
  EXPECT_EQ(objects(AuditLevel::RequestResponse),
            R"("code":200},"requestObject":{"a":1},"responseObject":{"b":2},)");
  event.is_truncated = true;
  EXPECT_EQ(objects(AuditLevel::RequestResponse), R"("code":200},)");
  EXPECT_NE(AuditLine(request, event).find(R"("audit.k8s.io/truncated":"true")"),
            std::string::npos);
  event.stage = AuditStage::RequestReceived;
  EXPECT_EQ(AuditLine(request, event).find("responseStatus"), std::string::npos);
}

TEST(AuditLineTest, NamesFromTheBodyAndAnnotationsAreThere) {
  ApiRequest request = MakeRequest("POST", "/apis/apps/v1/namespaces/a/deployments");
  request.audit = std::make_shared<AuditRecord>();
  request.audit->rule.level = AuditLevel::Metadata;
  request.audit->object_name = "of-body";
  request.audit->object_uid = "u1";
  request.audit->object_resource_version = "7";
  request.audit->Annotate("pod-security.kubernetes.io/enforce-policy", "baseline:latest");
  request.audit->Annotate("pod-security.kubernetes.io/enforce-policy", "second");
  const std::string line = AuditLine(request, {});
  EXPECT_EQ(Between(line, R"("objectRef")", R"(,"responseStatus")"),
            R"("objectRef":{"resource":"deployments","namespace":"a","name":"of-body","uid":"u1",)"
            R"("apiGroup":"apps","apiVersion":"v1","resourceVersion":"7"})");
  EXPECT_EQ(Between(line, R"("annotations")", "}"),
            R"("annotations":{"authorization.k8s.io/decision":"allow",)"
            R"("authorization.k8s.io/reason":"RBAC: fine",)"
            R"("pod-security.kubernetes.io/enforce-policy":"baseline:latest")");
}

TEST(AuditLineTest, LineEndsAndQuotesInARequestCannotForgeAnEvent) {
  ApiRequest request = MakeRequest();
  request.http.target = "/x?\n{\"kind\":\"Event\"}";
  request.user.name = "a\nb\"c";
  request.http.headers = {{"User-Agent", "x\r\ny"}};
  for (const std::string& line : {AuditLine(request, {}), LegacyAuditLine(request, {})}) {
    EXPECT_EQ(line.find('\n'), line.size() - 1) << line;
    EXPECT_EQ(line.find('\r'), std::string::npos) << line;
  }
}

TEST(LegacyAuditLineTest, IsUpstreamsText) {
  ApiRequest request = MakeRequest();
  AuditEvent event;
  event.code = 200;
  EXPECT_EQ(LegacyAuditLine(request, event),
            "2026-03-01T12:00:00.000000Z AUDIT: id=\"id\" stage=\"ResponseComplete\" "
            "ip=\"127.0.0.1\" method=\"patch\" user=\"jane\" groups=\"\\\"devs\\\"\" "
            "as=\"<self>\" asgroups=\"<lookup>\" user-agent=\"kubectl\" namespace=\"a\" "
            "uri=\"/apis/apps/v1/namespaces/a/deployments/web/scale?x=1\" response=\"200\"\n");
  event.stage = AuditStage::RequestReceived;
  EXPECT_TRUE(LegacyAuditLine(request, event).ends_with("response=\"<deferred>\"\n"));
}

TEST(FailedAuthenticationTest, NamesTheMethodAndNoSecret) {
  ApiRequest request;
  EXPECT_EQ(FailedAuthenticationMessage(request), "Authentication failed, no credentials provided");
  request.http.headers = {{"Authorization", "Bearer s3cret"}};
  request.http.is_certificate_bad = true;
  EXPECT_EQ(FailedAuthenticationMessage(request), "Authentication failed, attempted: bearer, x509");
  request.http.headers = {{"Authorization", "Basic dXNlcjpwYXNz"}};
  EXPECT_EQ(FailedAuthenticationMessage(request), "Authentication failed, attempted: basic, x509");
}

TEST(SourceIpsTest, ProxiesFirstTheConnectionLast) {
  const auto ips = [](net::Headers headers, std::string remote) {
    net::Request request;
    request.headers = std::move(headers);
    request.remote_address = std::move(remote);
    std::string text;
    for (const std::string& ip : SourceIps(request)) text += ip + " ";
    return text;
  };
  EXPECT_EQ(ips({}, "10.0.0.1:80"), "10.0.0.1 ");
  EXPECT_EQ(ips({}, "[::1]:80"), "::1 ");
  EXPECT_EQ(ips({}, "in process"), "");
  EXPECT_EQ(
      ips({{"X-Forwarded-For", "1.1.1.1, junk ,2.2.2.2"}, {"X-Real-Ip", "3.3.3.3"}}, "10.0.0.1:80"),
      "1.1.1.1 2.2.2.2 3.3.3.3 10.0.0.1 ");
  EXPECT_EQ(ips({{"X-Forwarded-For", "1.1.1.1"}, {"X-Real-Ip", "1.1.1.1"}}, "1.1.1.1:80"),
            "1.1.1.1 ");
}

}  // namespace
}  // namespace plimsoll::apiserver
