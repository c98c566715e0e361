#include "apiserver/audit/audit_event.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "apiserver/audit/audit_policy.h"
#include "apiserver/authz/policy_rule.h"
#include "apiserver/limits.h"
#include "apiserver/review/review_json.h"
#include "base/go_text.h"
#include "base/syntax.h"
#include "base/text/ascii.h"
#include "codec/json.h"
#include "codec/json_text.h"

namespace plimsoll::apiserver {
namespace {

using codec::Value;

constexpr std::string_view kTruncated = "audit.k8s.io/truncated";

bool IsIp(std::string_view text) { return CheckIp(text).empty(); }

/// Returns the host without the port and without the brackets of IPv6.
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

std::string UserJson(const User& user) {
  codec::Document document;
  return codec::WriteJson(WriteUser(user, document));
}

std::string ObjectRefJson(const RequestInfo& info, const AuditRecord* record) {
  static const AuditRecord kNoRecord;
  const AuditRecord& known = record == nullptr ? kNoRecord : *record;
  codec::JsonText ref;
  ref.TextUnlessEmpty("resource", info.resource);
  ref.TextUnlessEmpty("namespace",
                      info.namespace_.empty() ? known.object_namespace : info.namespace_);
  ref.TextUnlessEmpty("name", info.name.empty() ? known.object_name : info.name);
  ref.TextUnlessEmpty("uid", known.object_uid);
  ref.TextUnlessEmpty("apiGroup", info.group);
  ref.TextUnlessEmpty("apiVersion", info.version);
  ref.TextUnlessEmpty("resourceVersion", known.object_resource_version);
  ref.TextUnlessEmpty("subresource", info.subresource);
  return std::move(ref).Done();
}

/// Copies the fields of a Status that upstream copies. `code` is that of the response.
std::string ResponseStatusJson(const AuditEvent& event) {
  codec::JsonText status;
  status.Raw("metadata", "{}");
  const auto parsed = event.status_json.empty()
                          ? Result<std::unique_ptr<codec::Document>>(Fail(Reason::NotFound, ""))
                          : codec::ParseJson(event.status_json);
  if (parsed) {
    for (const std::string_view key : {"status", "message", "reason", "details"}) {
      const Value* const member = (*parsed)->root().Find(key);
      if (member != nullptr && !member->is_null()) status.Raw(key, codec::WriteJson(*member));
    }
  }
  status.Raw("code", std::to_string(event.code));
  return std::move(status).Done();
}

std::string UserAgent(const net::Request& request) {
  std::string agent(request.headers.Find("User-Agent"));
  if (agent.size() > kUserAgentBytesMax) {
    agent.resize(kUserAgentBytesMax);
    agent += "...TRUNCATED";
  }
  return agent;
}

std::string AnnotationsJson(const ApiRequest& request, const AuditEvent& event) {
  std::map<std::string_view, std::string_view> annotations;
  if (request.audit != nullptr) {
    for (const auto& [key, value] : request.audit->annotations) annotations.emplace(key, value);
  }
  if (request.decision) {
    annotations["authorization.k8s.io/decision"] =
        request.decision->is_allowed ? "allow" : "forbid";
    annotations["authorization.k8s.io/reason"] = request.decision->reason;
  }
  if (event.is_truncated) annotations[kTruncated] = "true";
  if (annotations.empty()) return {};
  codec::JsonText members;
  for (const auto& [key, value] : annotations) members.Text(key, value);
  return std::move(members).Done();
}

/// Returns true if the event is written before the response is known.
bool IsBeforeResponse(const AuditEvent& event) {
  return event.stage == AuditStage::RequestReceived;
}

std::string QuotedGroups(const std::vector<std::string>& groups) {
  std::string out;
  for (const std::string& group : groups) {
    if (!out.empty()) out += ',';
    out += GoQuote(group);
  }
  return out;
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

std::string FailedAuthenticationMessage(const ApiRequest& request) {
  std::vector<std::string_view> methods;
  const std::string_view header = GoTrimSpace(request.http.headers.Find("Authorization"));
  const std::string_view scheme = header.substr(0, header.find(' '));
  const auto is_scheme = [&](std::string_view name) {
    return header.size() > scheme.size() &&
           std::ranges::equal(scheme, name, [](char a, char b) { return ToLower(a) == b; });
  };
  if (is_scheme("basic")) methods.emplace_back("basic");
  if (is_scheme("bearer")) methods.emplace_back("bearer");
  if (!GoTrimSpace(request.target.Query("access_token")).empty()) {
    methods.emplace_back("access_token");
  }
  if (request.http.certificate || request.http.is_certificate_bad) methods.emplace_back("x509");
  if (methods.empty()) return "Authentication failed, no credentials provided";
  return fmt::format("Authentication failed, attempted: {}", fmt::join(methods, ", "));
}

std::string AuditLine(const ApiRequest& request, const AuditEvent& event) {
  const AuditRecord* const record = request.audit.get();
  const AuditLevel level = record == nullptr ? AuditLevel::Metadata : record->rule.level;
  const bool has_objects = level >= AuditLevel::Request && !event.is_truncated;
  codec::JsonText members;
  members.Reserve(1024 +
                  (has_objects ? record->request_object.size() + event.response_json.size() : 0));
  members.Raw("kind", "\"Event\"");
  members.Raw("apiVersion", "\"audit.k8s.io/v1\"");
  members.Text("level", AuditLevelName(level));
  members.Text("auditID", request.audit_id);
  members.Text("stage", AuditStageName(event.stage));
  members.Text("requestURI", request.http.target);
  members.Text("verb", request.info.verb);
  members.Raw("user", UserJson(request.impersonator ? *request.impersonator : request.user));
  if (request.impersonator) members.Raw("impersonatedUser", UserJson(request.user));
  if (const std::vector<std::string> ips = SourceIps(request.http); !ips.empty()) {
    codec::Document document;
    members.Raw("sourceIPs", codec::WriteJson(WriteTexts(ips, document)));
  }
  members.TextUnlessEmpty("userAgent", UserAgent(request.http));
  if (request.info.is_resource_request) {
    members.Raw("objectRef", ObjectRefJson(request.info, record));
  }
  if (!IsBeforeResponse(event)) {
    members.Raw("responseStatus", ResponseStatusJson(event));
    if (has_objects && !record->request_object.empty()) {
      members.Raw("requestObject", record->request_object);
    }
    if (has_objects && level == AuditLevel::RequestResponse && !event.response_json.empty()) {
      members.Raw("responseObject", event.response_json);
    }
  }
  members.Text("requestReceivedTimestamp", FormatMicroTime(request.received));
  members.Text("stageTimestamp", FormatMicroTime(event.now));
  if (const std::string annotations = AnnotationsJson(request, event); !annotations.empty()) {
    members.Raw("annotations", annotations);
  }
  return std::move(members).Done() + '\n';
}

std::string LegacyAuditLine(const ApiRequest& request, const AuditEvent& event) {
  const User& user = request.impersonator ? *request.impersonator : request.user;
  const std::vector<std::string> ips = SourceIps(request.http);
  const std::string groups = QuotedGroups(user.groups);
  const std::string as_groups = request.impersonator && !request.user.groups.empty()
                                    ? QuotedGroups(request.user.groups)
                                    : "<lookup>";
  const auto or_none = [](std::string_view text, std::string_view otherwise) {
    return GoQuote(text.empty() ? otherwise : text);
  };
  return fmt::format(
      "{} AUDIT: id={} stage={} ip={} method={} user={} groups={} as={} asgroups={} "
      "user-agent={} namespace={} uri={} response=\"{}\"\n",
      FormatMicroTime(request.received), GoQuote(request.audit_id),
      GoQuote(AuditStageName(event.stage)), or_none(ips.empty() ? "" : ips.front(), "<unknown>"),
      GoQuote(request.info.verb), or_none(user.name, "<none>"), or_none(groups, "<none>"),
      GoQuote(request.impersonator ? std::string_view(request.user.name) : "<self>"),
      GoQuote(as_groups), GoQuote(UserAgent(request.http)),
      or_none(request.info.is_resource_request ? request.info.namespace_ : "", "<none>"),
      GoQuote(request.http.target),
      IsBeforeResponse(event) ? "<deferred>" : std::to_string(event.code));
}

}  // namespace plimsoll::apiserver
