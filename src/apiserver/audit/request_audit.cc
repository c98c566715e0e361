#include "apiserver/audit/request_audit.h"

#include <utility>

#include "apiserver/audit/request_object.h"
#include "apiserver/limits.h"
#include "codec/json.h"
#include "codec/yaml.h"

namespace plimsoll::apiserver {
namespace {

bool IsYaml(const net::Response& response) {
  return response.headers.Find("Content-Type").contains("yaml");
}

bool IsJson(const net::Response& response) {
  return response.headers.Find("Content-Type").starts_with("application/json");
}

std::unique_ptr<codec::Document> ParseBody(const std::string& body, bool is_yaml) {
  const codec::ParseLimits limits{
      .bytes_max = body.size() + 1, .depth_max = 300, .values_max = body.size() + 1};
  if (!is_yaml) {
    auto parsed = codec::ParseJson(body, limits);
    return parsed ? *std::move(parsed) : nullptr;
  }
  auto parsed = codec::ParseYaml(body, limits);
  return parsed && !parsed->empty() ? std::move(parsed->front()) : nullptr;
}

/// Returns the body as compact JSON, without managed fields if the rule omits them.
std::string CompactJson(const std::string& body, bool is_yaml, const AuditRule& rule) {
  if (!is_yaml && !rule.omits_managed_fields && !body.contains('\n')) return body;
  const auto document = ParseBody(body, is_yaml);
  if (document == nullptr) return {};
  if (rule.omits_managed_fields) RemoveManagedFields(*document, document->root());
  return codec::WriteJson(document->root());
}

/// Copies the parts of a request that events need, which excludes the body.
ApiRequest CopyWithoutBody(const ApiRequest& request) {
  net::Request http;
  http.method = request.http.method;
  http.target = request.http.target;
  http.headers = request.http.headers;
  http.remote_address = request.http.remote_address;
  ApiRequest copy(std::move(http), {.target = request.target,
                                    .info = request.info,
                                    .resource = request.resource,
                                    .is_verb_served = request.is_verb_served,
                                    .refusal = {}});
  copy.user = request.user;
  copy.impersonator = request.impersonator;
  copy.decision = request.decision;
  copy.received = request.received;
  copy.audit_id = request.audit_id;
  copy.audit = request.audit;
  return copy;
}

/// Returns the Status in the response as JSON, or "" if the body is something else.
std::string FindStatus(const ApiRequest& request, const net::Response& response) {
  const bool may_be_status = response.status >= 400 || request.info.verb == "delete" ||
                             request.info.verb == "deletecollection";
  if (!may_be_status || response.body == nullptr) return {};
  if (response.body->size() > kAuditedStatusBytesMax) return {};
  if (!IsJson(response) && !IsYaml(response)) return {};
  const auto document = ParseBody(*response.body, IsYaml(response));
  if (document == nullptr) return {};
  const codec::Value* const kind = document->root().Find("kind");
  if (kind == nullptr || !kind->is_string() || kind->text() != "Status") return {};
  return codec::WriteJson(document->root());
}

}  // namespace

/// Copies a list while it is sent, and writes its event at the end.
class RequestAudit::RecordedBody final : public net::BodySource {
 public:
  RecordedBody(RequestAudit& audit, const ApiRequest& request, AuditEvent event, bool is_yaml,
               std::unique_ptr<net::BodySource> inner)
      : audit_(audit),
        request_(CopyWithoutBody(request)),
        event_(std::move(event)),
        is_yaml_(is_yaml),
        inner_(std::move(inner)) {}

  ~RecordedBody() override {
    if (!is_written_) Finish();  // the client disconnected before the end
  }
  RecordedBody(const RecordedBody&) = delete;
  RecordedBody& operator=(const RecordedBody&) = delete;

  bool Read(std::string& out) override {
    const std::size_t before = out.size();
    const bool has_more = inner_->Read(out);
    if (copy_.size() + out.size() - before > kAuditedResponseBytesMax) {
      is_too_large_ = true;
      copy_ = std::string();
    }
    if (!is_too_large_) copy_.append(out, before);
    if (!has_more) {
      is_complete_ = true;
      Finish();
    }
    return has_more;
  }

 private:
  void Finish() {
    is_written_ = true;
    event_.is_truncated = is_too_large_;
    event_.now = audit_.clock_.Now();
    if (is_complete_ && !is_too_large_) {
      event_.response_json = CompactJson(copy_, is_yaml_, request_.audit->rule);
    }
    audit_.Write(request_, std::move(event_));
  }

  RequestAudit& audit_;
  const ApiRequest request_;  // a copy: the request may be destroyed before the body
  AuditEvent event_;
  const bool is_yaml_;
  const std::unique_ptr<net::BodySource> inner_;
  std::string copy_;
  bool is_too_large_ = false;
  bool is_complete_ = false;
  bool is_written_ = false;
};

RequestAudit::RequestAudit(const AuditOptions& options, AuditPolicy policy, AuditLog& log,
                           const Clock& clock, MetricsRegistry& metrics)
    : options_(options),
      policy_(std::move(policy)),
      log_(log),
      clock_(clock),
      events_(metrics.AddCounter(
          {.name = "apiserver_audit_event_total",
           .help = "Counter of audit events generated and sent to the audit backend.",
           .labels = {}})),
      rejected_(metrics.AddCounter({.name = "apiserver_audit_requests_rejected_total",
                                    .help = "Counter of apiserver requests rejected due to an "
                                            "error in audit logging backend.",
                                    .labels = {}})) {
  const MetricFamily<Counter> levels =
      metrics.AddCounters({.name = "apiserver_audit_level_total",
                           .help = "Counter of policy levels for audit events (1 per request).",
                           .labels = {"level"}});
  for (const AuditLevel level :
       {AuditLevel::None, AuditLevel::Metadata, AuditLevel::Request, AuditLevel::RequestResponse}) {
    levels_.push_back(levels.With({AuditLevelName(level)}));
  }
}

void RequestAudit::CountLevel(AuditLevel level) {
  levels_.at(static_cast<std::size_t>(level)).Add();
}

bool RequestAudit::Write(const ApiRequest& request, AuditEvent event) {
  if (request.audit != nullptr && request.audit->rule.omitted_stages.Has(event.stage)) return true;
  events_.Add();
  if (options_.format == AuditFormat::Legacy) return log_.Write(LegacyAuditLine(request, event));
  std::string line = AuditLine(request, event);
  if (options_.is_truncating && line.size() > options_.event_bytes_max) {
    const bool has_objects =
        request.audit != nullptr && request.audit->rule.level >= AuditLevel::Request;
    if (has_objects && !event.is_truncated) {
      event.is_truncated = true;
      line = AuditLine(request, event);
    }
    if (line.size() > options_.event_bytes_max) {
      log_.CountLost("truncate");
      return false;
    }
  }
  return log_.Write(std::move(line));
}

bool RequestAudit::OnReceived(ApiRequest& request) {
  request.audit = std::make_shared<AuditRecord>();
  request.audit->rule = policy_.Evaluate(&request.user, request.info);
  CountLevel(request.audit->rule.level);
  if (request.audit->rule.level == AuditLevel::None) return true;
  const bool is_written = Write(request, {.stage = AuditStage::RequestReceived,
                                          .status_json = {},
                                          .response_json = {},
                                          .now = request.received});
  if (is_written || log_.mode() != AuditMode::BlockingStrict) return true;
  rejected_.Add();
  return false;
}

void RequestAudit::WriteUnauthenticated(const ApiRequest& request, const net::Response& response) {
  ApiRequest known = CopyWithoutBody(request);
  known.audit = std::make_shared<AuditRecord>();
  known.audit->rule = policy_.Evaluate(nullptr, request.info);
  CountLevel(known.audit->rule.level);
  if (known.audit->rule.level == AuditLevel::None) return;
  AuditEvent event{.stage = AuditStage::ResponseStarted,
                   .code = response.status,
                   .status_json = FindStatus(request, response),
                   .response_json = {},
                   .now = clock_.Now()};
  if (response.status == 401) {
    codec::Document document;
    codec::Value status = document.NewObject(1);
    document.Set(status, "message", document.NewString(FailedAuthenticationMessage(request)));
    event.status_json = codec::WriteJson(status);
  }
  Write(known, std::move(event));
}

void RequestAudit::OnAnswer(const ApiRequest& request, net::Response& response) {
  if (request.audit == nullptr) return WriteUnauthenticated(request, response);
  const AuditRule& rule = request.audit->rule;
  if (rule.level == AuditLevel::None) return;
  AuditEvent event{.stage = AuditStage::ResponseComplete,
                   .code = response.status,
                   .status_json = FindStatus(request, response),
                   .response_json = {},
                   .now = clock_.Now()};
  const bool has_form = IsJson(response) || IsYaml(response);
  if (rule.level == AuditLevel::RequestResponse && has_form) {
    if (response.source != nullptr) {
      response.source = std::make_unique<RecordedBody>(
          *this, request, std::move(event), IsYaml(response), std::move(response.source));
      return;
    }
    if (response.body != nullptr && response.body->size() > kAuditedResponseBytesMax) {
      event.is_truncated = true;
    } else if (response.body != nullptr) {
      event.response_json = CompactJson(*response.body, IsYaml(response), rule);
    }
  }
  Write(request, std::move(event));
}

void RequestAudit::OnWatchBegin(const ApiRequest& request, int code) {
  if (request.audit == nullptr || request.audit->rule.level == AuditLevel::None) return;
  Write(request, {.stage = AuditStage::ResponseStarted,
                  .code = code,
                  .status_json = {},
                  .response_json = {},
                  .now = clock_.Now()});
}

void RequestAudit::OnWatchEnd(const ApiRequest& request) {
  if (request.audit == nullptr || request.audit->rule.level == AuditLevel::None) return;
  Write(request, {.stage = AuditStage::ResponseComplete,
                  .code = 200,
                  .status_json = {},
                  .response_json = {},
                  .now = clock_.Now()});
}

}  // namespace plimsoll::apiserver
