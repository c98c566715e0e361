#include "apiserver/audit/audit_event.h"

#include <algorithm>

#include "apiserver/authz/policy_rule.h"
#include "apiserver/review/review_json.h"
#include "base/go_text.h"
#include "base/syntax.h"
#include "codec/json.h"

namespace plimsoll::apiserver {
namespace {

using codec::Value;

constexpr std::size_t kUserAgentBytesMax = 1024;

bool IsIp(std::string_view text) { return CheckIp(text).empty(); }

/// Without the port, and without the brackets of IPv6.
std::string_view HostOf(std::string_view address) {
  if (const std::size_t colon = address.rfind(':');
      colon != std::string_view::npos && !IsIp(address)) {
    address = address.substr(0, colon);
  }
  if (address.starts_with('[') && address.ends_with(']')) {
    address = address.substr(1, address.size() - 2);
  }
  return address;
}

void SetText(codec::Document& document, Value& object, std::string_view key,
             std::string_view text) {
  if (!text.empty()) document.Set(object, key, document.NewString(text));
}

Value WriteObjectRef(codec::Document& document, const RequestInfo& info) {
  Value ref = document.NewObject(6);
  SetText(document, ref, "resource", info.resource);
  SetText(document, ref, "namespace", info.namespace_);
  SetText(document, ref, "name", info.name);
  SetText(document, ref, "apiGroup", info.group);
  SetText(document, ref, "apiVersion", info.version);
  SetText(document, ref, "subresource", info.subresource);
  return ref;
}

Value WriteResponseStatus(codec::Document& document,
                          const std::optional<api::StatusObject>& refusal, int code) {
  Value status = document.NewObject(6);
  document.Set(status, "metadata", document.NewObject());
  if (refusal) {
    document.Set(status, "status", Value::String(refusal->is_success ? "Success" : "Failure"));
    SetText(document, status, "message", refusal->message);
    SetText(document, status, "reason", refusal->reason);
    if (refusal->details) {
      Value details = document.NewObject(4);
      SetText(document, details, "name", refusal->details->name);
      SetText(document, details, "group", refusal->details->group);
      SetText(document, details, "kind", refusal->details->kind);
      SetText(document, details, "uid", refusal->details->uid);
      document.Set(status, "details", details);
    }
  }
  document.Set(status, "code", Value::Int(code));
  return status;
}

std::string UserAgent(const net::Request& request) {
  std::string agent(request.headers.Find("User-Agent"));
  if (agent.size() > kUserAgentBytesMax) {
    agent.resize(kUserAgentBytesMax);
    agent += "...TRUNCATED";
  }
  return agent;
}

std::string_view StageName(AuditStage stage) {
  return stage == AuditStage::ResponseStarted ? "ResponseStarted" : "ResponseComplete";
}

}  // namespace

std::vector<std::string> SourceIps(const net::Request& request) {
  std::vector<std::string> ips;
  std::string_view chain = request.headers.Find("X-Forwarded-For");
  while (!chain.empty()) {
    const std::size_t comma = std::min(chain.find(','), chain.size());
    const std::string_view ip = GoTrimSpace(chain.substr(0, comma));
    if (IsIp(ip)) ips.emplace_back(ip);
    chain.remove_prefix(std::min(comma + 1, chain.size()));
  }
  const std::string_view real = GoTrimSpace(request.headers.Find("X-Real-Ip"));
  if (IsIp(real) && std::ranges::find(ips, real) == ips.end()) ips.emplace_back(real);
  const std::string_view remote = HostOf(request.remote_address);
  if (IsIp(remote) && (ips.empty() || ips.back() != remote)) ips.emplace_back(remote);
  return ips;
}

std::string AuditLine(const ApiRequest& request, const AuditOutcome& outcome) {
  codec::Document document;
  Value event = document.NewObject(18);
  document.Set(event, "kind", Value::String("Event"));
  document.Set(event, "apiVersion", Value::String("audit.k8s.io/v1"));
  document.Set(event, "level", Value::String("Metadata"));
  document.Set(event, "auditID", document.NewString(request.audit_id));
  document.Set(event, "stage", Value::String(StageName(outcome.stage)));
  document.Set(event, "requestURI", document.NewString(request.http.target));
  document.Set(event, "verb", document.NewString(request.info.verb));
  const User& user = request.impersonator ? *request.impersonator : request.user;
  document.Set(event, "user", WriteUser(user, document));
  if (request.impersonator) {
    document.Set(event, "impersonatedUser", WriteUser(request.user, document));
  }
  if (const std::vector<std::string> ips = SourceIps(request.http); !ips.empty()) {
    document.Set(event, "sourceIPs", WriteTexts(ips, document));
  }
  SetText(document, event, "userAgent", UserAgent(request.http));
  if (request.info.is_resource_request) {
    document.Set(event, "objectRef", WriteObjectRef(document, request.info));
  }
  document.Set(event, "responseStatus",
               WriteResponseStatus(document, request.refusal, outcome.code));
  document.Set(event, "requestReceivedTimestamp",
               document.NewString(FormatMicroTime(request.received)));
  document.Set(event, "stageTimestamp", document.NewString(FormatMicroTime(outcome.now)));
  if (request.decision) {
    Value annotations = document.NewObject(2);
    document.Set(annotations, "authorization.k8s.io/decision",
                 Value::String(request.decision->is_allowed ? "allow" : "forbid"));
    document.Set(annotations, "authorization.k8s.io/reason",
                 document.NewString(request.decision->reason));
    document.Set(event, "annotations", annotations);
  }
  return codec::WriteJson(event) + "\n";
}

}  // namespace plimsoll::apiserver
