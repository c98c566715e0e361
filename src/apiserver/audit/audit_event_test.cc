#include "apiserver/audit/audit_event.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <sstream>

#include "apiserver/audit/audit_log.h"
#include "apiserver/audit/request_audit.h"
#include "base/virtual_clock.h"

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
  EXPECT_EQ(AuditLine(MakeRequest(), {.code = 200, .now = kStart + microseconds(1500)}),
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
  request.refusal = api::Forbidden({"apps", "deployments", "web"}, "no");
  const std::string line = AuditLine(request, {.code = 403, .now = kStart});
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

class AuditLogTest : public testing::Test {
 protected:
  AuditLogTest() { std::remove(path_.c_str()); }
  ~AuditLogTest() override { std::remove(path_.c_str()); }

  std::string Text() const {
    std::ifstream file(path_);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }
  std::unique_ptr<AuditLog> Open(AuditLogOptions options) {
    metrics_ = std::make_unique<MetricsRegistry>();
    auto opened = AuditLog::Open(options, log_, *metrics_);
    EXPECT_TRUE(opened.has_value());
    return *std::move(opened);
  }

  const std::string path_ = testing::TempDir() + "audit_" +
                            testing::UnitTest::GetInstance()->current_test_info()->name() + ".log";
  VirtualClock clock_{kStart};
  MemorySink sink_;
  Logger log_{clock_, sink_};
  std::unique_ptr<MetricsRegistry> metrics_;
};

TEST_F(AuditLogTest, WritesEveryLineInOrderAndAppends) {
  std::string want;
  for (int round = 0; round < 2; ++round) {
    const auto log = Open({.path = path_});
    for (int i = 0; i < 500; ++i) {
      const std::string line = std::to_string(i) + "\n";
      want += line;
      log->Write(line);
    }
  }
  EXPECT_EQ(Text(), want);
}

TEST_F(AuditLogTest, WhatIsTooMuchIsLostAndCounted) {
  const auto log = Open({.path = path_, .pending_bytes_max = 10});
  log->Write(std::string(11, 'x'));
  log->Write("fits\n");
  log->Flush();
  EXPECT_EQ(log->lost(), 1u);
  EXPECT_EQ(Text(), "fits\n");
  EXPECT_NE(metrics_->Text().find("apiserver_audit_error_total{plugin=\"log\"} 1"),
            std::string::npos)
      << metrics_->Text();
}

TEST_F(AuditLogTest, AFullDiskIsToldOnce) {
  const auto log = Open({.path = "/dev/full"});
  for (int i = 0; i < 3; ++i) {
    log->Write("x\n");
    log->Flush();
  }
  EXPECT_EQ(log->lost(), 3u);
  const std::string told = sink_.text();
  EXPECT_NE(told.find("Could not write to the audit log"), std::string::npos);
  EXPECT_EQ(told.find("Could not write", told.find("Could not write") + 1), std::string::npos);
}

TEST_F(AuditLogTest, AFileThatCannotBeOpenedIsNamed) {
  MetricsRegistry metrics;
  const auto opened = AuditLog::Open({.path = "/no/such/folder/audit.log"}, log_, metrics);
  ASSERT_FALSE(opened.has_value());
  EXPECT_EQ(opened.error().message,
            "cannot open the audit log /no/such/folder/audit.log: No such file or directory; give "
            "another --audit-log-path");
}

TEST_F(AuditLogTest, AWatchIsWrittenTwice) {
  const auto log = Open({.path = path_});
  RequestAudit audit(*log, clock_);
  audit.OnAnswer(MakeRequest(), 200);
  const ApiRequest request = MakeRequest("GET", "/api/v1/pods?watch=true");
  audit.OnAnswer(request, 403);
  audit.OnAnswer(request, 200);
  audit.OnWatchEnd(request);
  log->Flush();
  std::istringstream lines(Text());
  std::string stages;
  for (std::string line; std::getline(lines, line);) {
    stages += line.contains("\"ResponseStarted\"") ? "started " : "complete ";
  }
  EXPECT_EQ(stages, "complete complete started complete ");
}

}  // namespace
}  // namespace plimsoll::apiserver
