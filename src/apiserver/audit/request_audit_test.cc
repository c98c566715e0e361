#include "apiserver/audit/request_audit.h"

#include <gtest/gtest.h>

#include <array>
#include <sstream>

#include "apiserver/audit/audit_log_for_test.h"
#include "apiserver/audit/request_object.h"
#include "codec/json.h"

namespace plimsoll::apiserver {
namespace {

/// Body that is read in two parts.
class TwoParts final : public net::BodySource {
 public:
  explicit TwoParts(std::string text) : text_(std::move(text)) {}
  bool Read(std::string& out) override {
    if (std::exchange(is_second_, true)) {
      out += text_.substr(5);
      return false;
    }
    out += text_.substr(0, 5);
    return true;
  }

 private:
  const std::string text_;
  bool is_second_ = false;
};

class RequestAuditTest : public testing::Test, public AuditFolder {
 protected:
  void Start(std::string_view level, AuditOptions options = {},
             std::string_view rest = "omitStages: [RequestReceived]\n") {
    options.log.path = options.log.path.empty() ? path_ : options.log.path;
    auto policy =
        AuditPolicy::Parse("apiVersion: audit.k8s.io/v1\nkind: Policy\n" + std::string(rest) +
                           "rules: [{level: " + std::string(level) + "}]\n");
    ASSERT_TRUE(policy.has_value()) << policy.error().message;
    log_file_ = *AuditLog::Open(options.log, clock_, log_, *registry_);
    audit_ =
        std::make_unique<RequestAudit>(options, *std::move(policy), *log_file_, clock_, *registry_);
  }

  /// Destroys the audit objects, so that metrics and files can be created again.
  void Restart() {
    audit_.reset();
    log_file_.reset();
    registry_ = std::make_unique<MetricsRegistry>();
  }

  /// Returns a request for a pod with this verb.
  static ApiRequest MakeRequest(std::string_view verb) {
    static const ResourceTable table;
    std::string target = "/api/v1/namespaces/a/pods";
    if (verb == "watch") target += "?watch=true";
    if (verb != "watch" && verb != "list") target += "/web";
    const std::string method = verb == "update" ? "PUT" : verb == "patch" ? "PATCH" : "GET";
    ApiRequest request(net::Request{.method = method, .target = target},
                       ParseRequest(method, target, table));
    request.user.name = "jane";
    return request;
  }
  static net::Response MakeResponse(int status, std::string body) {
    net::Response response;
    response.status = status;
    response.headers = {{"Content-Type", "application/json"}};
    response.body = MakeBytes(std::move(body));
    return response;
  }
  void Answer(const ApiRequest& request, int status, std::string body = "{}") {
    net::Response response = MakeResponse(status, std::move(body));
    audit_->OnAnswer(request, response);
  }
  /// Returns the values of a member in all events, each followed by a blank.
  std::string Each(std::string_view key) {
    log_file_->Flush();
    std::istringstream lines(TextOf(path_));
    std::string out;
    for (std::string line; std::getline(lines, line);) {
      const auto event = codec::ParseJson(line);
      const codec::Value* const value = (*event)->root().Find(key);
      out += value == nullptr ? "-" : codec::WriteJson(*value);
      out += " ";
    }
    return out;
  }

  std::unique_ptr<AuditLog> log_file_;
  std::unique_ptr<RequestAudit> audit_;
};

TEST_F(RequestAuditTest, StagesFollowTheRequest) {
  Start("Metadata", {}, "");
  ApiRequest request = MakeRequest("get");
  EXPECT_TRUE(audit_->OnReceived(request));
  Answer(request, 200);
  ApiRequest watch = MakeRequest("watch");
  EXPECT_TRUE(audit_->OnReceived(watch));
  audit_->OnWatchBegin(watch, 200);
  audit_->OnWatchEnd(watch);
  EXPECT_EQ(Each("stage"),
            R"("RequestReceived" "ResponseComplete" "RequestReceived" "ResponseStarted" )"
            R"("ResponseComplete" )");
  EXPECT_TRUE(registry_->Text().contains("apiserver_audit_event_total 5"));
  EXPECT_TRUE(registry_->Text().contains("apiserver_audit_level_total{level=\"Metadata\"} 2"));
}

TEST_F(RequestAuditTest, TheLevelNoneWritesNothing) {
  Start("None");
  ApiRequest request = MakeRequest("get");
  EXPECT_TRUE(audit_->OnReceived(request));
  Answer(request, 200);
  audit_->OnWatchBegin(request, 200);
  audit_->OnWatchEnd(request);
  EXPECT_EQ(Each("stage"), "");
  EXPECT_TRUE(registry_->Text().contains("apiserver_audit_level_total{level=\"None\"} 1"));
}

TEST_F(RequestAuditTest, AFailedAuthenticationIsWrittenWithoutCredentials) {
  Start("RequestResponse");
  ApiRequest request = MakeRequest("get");
  request.user = {};
  request.http.headers = {{"Authorization", "Bearer s3cret"}};
  Answer(request, 401, api::Unauthorized().Json());
  EXPECT_EQ(Each("stage"), R"("ResponseStarted" )");
  EXPECT_EQ(Each("responseStatus"),
            R"({"metadata":{},"message":"Authentication failed, attempted: bearer","code":401} )");
  EXPECT_FALSE(TextOf(path_).contains("s3cret"));
}

TEST_F(RequestAuditTest, TheStatusOfARefusalIsCopied) {
  Start("Metadata");
  ApiRequest request = MakeRequest("get");
  EXPECT_TRUE(audit_->OnReceived(request));
  Answer(request, 404, api::NotFound({"", "pods", "web"}).Json());
  EXPECT_EQ(Each("responseStatus"),
            R"({"metadata":{},"status":"Failure","message":"pods \"web\" not found",)"
            R"("reason":"NotFound","details":{"name":"web","kind":"pods"},"code":404} )");
}

TEST_F(RequestAuditTest, ObjectsAreKeptAsTheLevelSays) {
  for (const std::string level : {"Metadata", "Request", "RequestResponse"}) {
    Restart();
    std::filesystem::remove(path_);
    Start(level);
    ApiRequest request = MakeRequest("update");
    EXPECT_TRUE(audit_->OnReceived(request));
    const auto body = codec::ParseJson(R"({"metadata":{"name":"web","uid":"u"},"spec":{}})");
    AuditRequestObject(request, (*body)->root());
    Answer(request, 200, "{\n  \"x\": 1\n}\n");
    EXPECT_EQ(Each("requestObject"),
              level == "Metadata" ? "- " : R"({"metadata":{"name":"web","uid":"u"},"spec":{}} )");
    EXPECT_EQ(Each("responseObject"), level == "RequestResponse" ? R"({"x":1} )" : "- ");
  }
}

TEST_F(RequestAuditTest, ManagedFieldsCanBeOmitted) {
  Start("RequestResponse", {}, "omitManagedFields: true\n");
  ApiRequest request = MakeRequest("list");
  EXPECT_TRUE(audit_->OnReceived(request));
  const auto body = codec::ParseJson(R"({"metadata":{"name":"web","managedFields":[{}]}})");
  AuditRequestObject(request, (*body)->root());
  Answer(request, 200,
         R"({"metadata":{},"items":[{"metadata":{"managedFields":[{}],"name":"a"}}],)"
         R"("rows":[{"object":{"metadata":{"managedFields":[]}}}]})");
  EXPECT_EQ(Each("requestObject"), R"(- {"metadata":{"name":"web"}} )");
  EXPECT_EQ(
      Each("responseObject"),
      R"(- {"metadata":{},"items":[{"metadata":{"name":"a"}}],"rows":[{"object":{"metadata":{}}}]} )");
}

TEST_F(RequestAuditTest, AListIsCopiedWhileItIsSent) {
  Start("RequestResponse");
  const auto request = std::make_unique<ApiRequest>(MakeRequest("list"));
  EXPECT_TRUE(audit_->OnReceived(*request));
  net::Response response = MakeResponse(200, "");
  response.body = nullptr;
  response.source = std::make_unique<TwoParts>(R"({"items":[1,2]})");
  audit_->OnAnswer(*request, response);
  EXPECT_EQ(Each("stage"), "");
  std::string sent;
  while (response.source->Read(sent)) {
  }
  EXPECT_EQ(sent, R"({"items":[1,2]})");
  EXPECT_EQ(Each("responseObject"), R"({"items":[1,2]} )");
}

TEST_F(RequestAuditTest, AListThatIsCutOffIsWrittenToo) {
  Start("RequestResponse");
  ApiRequest request = MakeRequest("list");
  EXPECT_TRUE(audit_->OnReceived(request));
  {
    net::Response response = MakeResponse(200, "");
    response.source = std::make_unique<TwoParts>(R"({"items":[1,2]})");
    audit_->OnAnswer(request, response);
    std::string sent;
    response.source->Read(sent);
  }
  EXPECT_EQ(Each("stage") + Each("responseObject"), R"("ResponseComplete" - )");
}

TEST_F(RequestAuditTest, ALargeEventLosesItsObjectsOrIsCounted) {
  Start("RequestResponse", {.is_truncating = true, .event_bytes_max = 1000});
  ApiRequest request = MakeRequest("get");
  EXPECT_TRUE(audit_->OnReceived(request));
  Answer(request, 200, R"({"x":")" + std::string(2000, 'x') + R"("})");
  EXPECT_EQ(Each("responseObject") + Each("annotations"),
            R"(- {"audit.k8s.io/truncated":"true"} )");
  request.http.target = "/" + std::string(2000, 'y');
  Answer(request, 200);
  EXPECT_EQ(Each("stage"), R"("ResponseComplete" )");
  EXPECT_TRUE(registry_->Text().contains("apiserver_audit_error_total{plugin=\"truncate\"} 1"));
}

TEST_F(RequestAuditTest, OnlyBlockingStrictRefusesRequestsThatCannotBeAudited) {
  for (const AuditMode mode : {AuditMode::Batch, AuditMode::Blocking, AuditMode::BlockingStrict}) {
    Restart();
    AuditOptions options;
    options.log.path = "/dev/full";
    options.log.mode = mode;
    Start("Metadata", options, "");
    ApiRequest request = MakeRequest("get");
    EXPECT_EQ(audit_->OnReceived(request), mode != AuditMode::BlockingStrict);
    log_file_->Flush();
    EXPECT_EQ(log_file_->lost(), 1u);
    EXPECT_TRUE(registry_->Text().contains(mode == AuditMode::BlockingStrict
                                               ? "apiserver_audit_requests_rejected_total 1"
                                               : "apiserver_audit_requests_rejected_total 0"));
  }
}

TEST_F(RequestAuditTest, APatchIsKeptAsJson) {
  Start("Request");
  for (const auto& [type, body, want] : std::vector<std::array<std::string, 3>>{
           {"application/json-patch+json", R"([ {"op": "remove"} ])", R"([{"op":"remove"}])"},
           {"application/apply-patch+yaml", "spec:\n  x: 1\n", R"({"spec":{"x":1}})"},
           {"application/merge-patch+json", "{", ""}}) {
    ApiRequest request = MakeRequest("patch");
    EXPECT_TRUE(audit_->OnReceived(request));
    request.http.headers = {{"Content-Type", type}};
    request.http.body = body;
    AuditRequestPatch(request);
    EXPECT_EQ(request.audit->request_object, want);
  }
}

}  // namespace
}  // namespace plimsoll::apiserver
