#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/expression/toleration_expression.h"
#include "apiserver/cache/cache_for_test.h"
#include "apiserver/write/write_path.h"
#include "base/assert.h"
#include "codec/json.h"

namespace plimsoll::apiserver {

/// Allows everything but `forbidden_verb`.
class TestAuthorizer final : public Authorizer {
 public:
  Decision Authorize(const User&, const RequestInfo& what) const override {
    if (what.verb == forbidden_verb) return {.is_allowed = false, .reason = "no"};
    return {.is_allowed = true, .reason = {}};
  }
  std::string forbidden_verb;
};

/// A parsed response.
struct TestAnswer {
  int code = 0;
  std::string body;
  std::vector<std::string> warnings;
  std::shared_ptr<const codec::Document> document;

  /// Returns the value at a path of fields: a string, or the JSON of another value. Returns "" if
  /// it is missing.
  template <class... Fields>
  std::string At(const Fields&... fields) const {
    const codec::Value* found = FindAt(document->root(), fields...);
    if (found == nullptr) return {};
    return found->is_string() ? std::string(found->text()) : codec::WriteJson(*found);
  }
  std::string message() const { return At("message"); }
};

/// Write path on an in-memory store, called like the HTTP handlers.
class WriterFixture : public CacheFixture {
 public:
  explicit WriterFixture(std::vector<Admission*> admission = {})
      : writer_({store(),
                 cache(),
                 table(),
                 authorizer_,
                 clock(),
                 identity_,
                 services_,
                 {.gates = {}, .expressions = &expressions_},
                 std::move(admission)}) {}

  Writer& writer() { return writer_; }
  TestAuthorizer& authorizer() { return authorizer_; }

  TestAnswer Post(std::string_view target, std::string body, net::Headers headers = {}) {
    return Send("POST", target, std::move(body), std::move(headers));
  }
  TestAnswer Put(std::string_view target, std::string body, net::Headers headers = {}) {
    return Send("PUT", target, std::move(body), std::move(headers));
  }
  TestAnswer Delete(std::string_view target, std::string body = {}) {
    return Send("DELETE", target, std::move(body), {});
  }
  /// `type`: json-patch+json, …
  TestAnswer Patch(std::string_view target, std::string body,
                   std::string_view type = "strategic-merge-patch+json") {
    return Send("PATCH", target, std::move(body),
                {{"Content-Type", "application/" + std::string(type)}});
  }
  TestAnswer Send(std::string_view method, std::string_view target, std::string body,
                  net::Headers headers) {
    TestAnswer out;
    const net::Response response =
        Answer(method, target, std::move(body), std::move(headers), &out.warnings);
    out.code = response.status;
    out.body = *response.body;
    auto parsed = codec::ParseJson(out.body);
    PL_ASSERT(parsed.has_value());
    out.document = std::move(*parsed);
    return out;
  }
  net::Response Answer(std::string_view method, std::string_view target, std::string body,
                       net::Headers headers, std::vector<std::string>* warnings = nullptr) {
    ApiRequest request = MakeRequest(method, target, std::move(body), std::move(headers));
    PL_ASSERT(request.is_verb_served);
    api::Answer<net::Response> answer = Serve(request);
    if (warnings != nullptr) *warnings = request.warnings;
    return answer ? std::move(*answer) : RespondStatus(request, answer.error());
  }

  /// Returns the stored object, or null.
  ObjectPtr Stored(std::string_view plural, std::string_view name,
                   std::string_view namespace_ = "default", std::string_view group = "") {
    return cache().Get(Of(plural, group), namespace_, name);
  }

  /// Returns an authorized request of jane.
  ApiRequest MakeRequest(std::string_view method, std::string_view target, std::string body,
                         net::Headers headers) {
    net::Request http{.method = std::string(method), .target = std::string(target)};
    http.headers = std::move(headers);
    http.body = std::move(body);
    ApiRequest request(std::move(http), ParseRequest(method, target, table()));
    request.user.name = "jane";
    request.received = clock().Now();
    return request;
  }

 private:
  api::Answer<net::Response> Serve(ApiRequest& request) {
    const std::string& verb = request.info.verb;
    if (verb == "create") return ServeCreate(writer_, request);
    if (verb == "update") return ServeUpdate(writer_, request);
    if (verb == "patch") return ServePatch(writer_, request);
    if (verb == "delete") return ServeDelete(writer_, request);
    PL_ASSERT(verb == "deletecollection");
    return ServeDeleteCollection(writer_, request);
  }

  api::TolerationExpressions expressions_;
  TestAuthorizer authorizer_;
  Identity identity_{7};
  ServiceAddresses services_{cache(), Of("services"), 7};
  Writer writer_;
};

/// Returns a valid pod; `meta` follows the name, `spec` the containers.
inline std::string PodJson(std::string_view name, std::string_view meta = "",
                           std::string_view spec = "", std::string_view rest = "") {
  return R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":")" + std::string(name) + "\"" +
         std::string(meta) + R"(},"spec":{"containers":[{"name":"c","image":"i"}])" +
         std::string(spec) + "}" + std::string(rest) + "}";
}

inline constexpr std::string_view kPods = "/api/v1/namespaces/default/pods";

/// Returns the path of a pod.
inline std::string PodTarget(std::string_view name) {
  return std::string(kPods) + "/" + std::string(name);
}

}  // namespace plimsoll::apiserver
