#include "api/status/status.h"

#include <fmt/format.h>

#include <array>

#include "base/go_text.h"

namespace plimsoll::api {
namespace {

struct ReasonRow {
  Reason reason;
  std::string_view name;
  int code;
};

constexpr std::array kReasons = {
    ReasonRow{Reason::BadRequest, "BadRequest", 400},
    ReasonRow{Reason::Unauthorized, "Unauthorized", 401},
    ReasonRow{Reason::Forbidden, "Forbidden", 403},
    ReasonRow{Reason::NotFound, "NotFound", 404},
    ReasonRow{Reason::AlreadyExists, "AlreadyExists", 409},
    ReasonRow{Reason::Conflict, "Conflict", 409},
    ReasonRow{Reason::Invalid, "Invalid", 422},
    ReasonRow{Reason::Expired, "Expired", 410},
    ReasonRow{Reason::TooManyRequests, "TooManyRequests", 429},
    ReasonRow{Reason::RequestEntityTooLarge, "RequestEntityTooLarge", 413},
    ReasonRow{Reason::UnsupportedMediaType, "UnsupportedMediaType", 415},
    ReasonRow{Reason::ServiceUnavailable, "ServiceUnavailable", 503},
    ReasonRow{Reason::Timeout, "Timeout", 504},
    ReasonRow{Reason::InternalError, "InternalError", 500},
    ReasonRow{Reason::NoSpace, "", 500},  // upstream passes etcd's error through, without a reason
};

void AppendField(std::string_view name, std::string_view value, std::string& out) {
  if (value.empty()) return;
  out += fmt::format(",\"{}\":{}", name, GoJsonQuote(value));
}

/// Each member begins with a comma; removes the first one.
std::string Braced(std::string members) {
  if (!members.empty()) members.erase(0, 1);
  return "{" + std::move(members) + "}";
}

std::string CauseJson(const StatusCause& cause) {
  std::string out;
  AppendField("reason", cause.reason, out);
  AppendField("message", cause.message, out);
  AppendField("field", cause.field, out);
  return Braced(std::move(out));
}

std::string DetailsJson(const StatusDetails& details) {
  std::string out;
  AppendField("name", details.name, out);
  AppendField("group", details.group, out);
  AppendField("kind", details.kind, out);
  AppendField("uid", details.uid, out);
  if (!details.causes.empty()) {
    out += ",\"causes\":[";
    for (std::size_t i = 0; i < details.causes.size(); ++i) {
      if (i > 0) out += ',';
      out += CauseJson(details.causes[i]);
    }
    out += ']';
  }
  if (details.retry_after_seconds > 0) {
    out += fmt::format(",\"retryAfterSeconds\":{}", details.retry_after_seconds);
  }
  return Braced(std::move(out));
}

StatusObject Make(int code, std::string_view reason, std::string message) {
  return {.code = code,
          .reason = std::string(reason),
          .message = std::move(message),
          .details = {},
          .is_success = false};
}

StatusObject About(const StatusSubject& subject, int code, std::string_view reason,
                   std::string message) {
  StatusObject status = Make(code, reason, std::move(message));
  status.details = StatusDetails{.name = std::string(subject.name),
                                 .group = std::string(subject.group),
                                 .kind = std::string(subject.resource),
                                 .uid = {},
                                 .causes = {},
                                 .retry_after_seconds = 0};
  return status;
}

/// `pods`, or `deployments.apps`.
std::string Qualified(std::string_view group, std::string_view resource) {
  return group.empty() ? std::string(resource) : fmt::format("{}.{}", resource, group);
}

std::string Qualified(const StatusSubject& subject) {
  return Qualified(subject.group, subject.resource);
}

std::string Joined(const std::vector<std::string_view>& texts) {
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace

std::string StatusObject::Json() const {
  std::string out = R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":)";
  out += is_success ? "\"Success\"" : "\"Failure\"";
  AppendField("message", message, out);
  AppendField("reason", reason, out);
  if (details) out += ",\"details\":" + DetailsJson(*details);
  // Upstream omits the code when it is unset, which is the case after deletions.
  if (!is_success || code != 200) out += fmt::format(",\"code\":{}", code);
  out += '}';
  return out;
}

StatusObject NotFound(const StatusSubject& subject) {
  return About(subject, 404, "NotFound",
               fmt::format("{} {} not found", Qualified(subject), GoQuote(subject.name)));
}

StatusObject AlreadyExists(const StatusSubject& subject) {
  return About(subject, 409, "AlreadyExists",
               fmt::format("{} {} already exists", Qualified(subject), GoQuote(subject.name)));
}

StatusObject GeneratedNameTaken(const StatusSubject& subject) {
  StatusObject status = AlreadyExists(subject);
  status.message += ", the server was not able to generate a unique name for the object";
  return status;
}

StatusObject Conflict(const StatusSubject& subject, std::string_view why) {
  return About(subject, 409, "Conflict",
               fmt::format("Operation cannot be fulfilled on {} {}: {}", Qualified(subject),
                           GoQuote(subject.name), why));
}

StatusObject Modified(const StatusSubject& subject) {
  return Conflict(subject,
                  "the object has been modified; please apply your changes to the latest version "
                  "and try again");
}

StatusObject Forbidden(const StatusSubject& subject, std::string_view why) {
  std::string message;
  if (subject.resource.empty()) {
    message = fmt::format("forbidden: {}", why);
  } else if (subject.name.empty()) {
    message = fmt::format("{} is forbidden: {}", Qualified(subject), why);
  } else {
    message = fmt::format("{} {} is forbidden: {}", Qualified(subject), GoQuote(subject.name), why);
  }
  return About(subject, 403, "Forbidden", std::move(message));
}

StatusObject Invalid(std::string_view group, std::string_view kind, std::string_view name,
                     const FieldErrors& errors) {
  const StatusSubject subject{group, kind, name};
  StatusObject status = About(subject, 422, "Invalid",
                              fmt::format("{} {} is invalid", Qualified(subject), GoQuote(name)));
  if (errors.empty()) return status;
  status.message += ": " + errors.Text();
  for (const FieldError& error : errors.list()) {
    status.details->causes.push_back(
        {std::string(CauseReason(error.type)), error.Body(), error.field});
  }
  return status;
}

StatusObject BadRequest(std::string message) { return Make(400, "BadRequest", std::move(message)); }

StatusObject Unauthorized() { return Make(401, "Unauthorized", "Unauthorized"); }

StatusObject MethodNotSupported(std::string_view group, std::string_view resource,
                                std::string_view verb) {
  const StatusSubject subject{group, resource, {}};
  return About(subject, 405, "MethodNotAllowed",
               fmt::format("{} is not supported on resources of kind {}", verb,
                           GoQuote(Qualified(subject))));
}

StatusObject NoSuchPath() {
  StatusObject status = Make(404, "NotFound", "the server could not find the requested resource");
  status.details.emplace();
  return status;
}

StatusObject NoSuchMethod() {
  StatusObject status = Make(405, "MethodNotAllowed",
                             "the server does not allow this method on the requested resource");
  status.details.emplace();
  return status;
}

StatusObject Expired(std::string message) { return Make(410, "Expired", std::move(message)); }

StatusObject TooLargeRevision(std::int64_t asked, std::int64_t current) {
  StatusObject status =
      TimedOut(fmt::format("Too large resource version: {}, current: {}", asked, current), 1);
  status.details->causes.push_back({"ResourceVersionTooLarge", "Too large resource version", ""});
  return status;
}

StatusObject EntityTooLarge(std::string_view text) {
  return Make(413, "RequestEntityTooLarge", fmt::format("Request entity too large: {}", text));
}

StatusObject UnsupportedPatchType() {
  StatusObject status = Make(415, "UnsupportedMediaType", "415: Unsupported Media Type");
  status.details.emplace();
  return status;
}

StatusObject UnsupportedMediaType(const std::vector<std::string_view>& accepted) {
  return Make(415, "UnsupportedMediaType",
              "the body of the request was in an unknown format - accepted media types include: " +
                  Joined(accepted));
}

StatusObject NotAcceptable(const std::vector<std::string_view>& accepted) {
  return Make(406, "NotAcceptable",
              "only the following media types are accepted: " + Joined(accepted));
}

StatusObject TooManyRequests(std::string message, std::int32_t retry_after_seconds) {
  StatusObject status = Make(429, "TooManyRequests", std::move(message));
  status.details.emplace().retry_after_seconds = retry_after_seconds;
  return status;
}

StatusObject InternalError(std::string_view what) {
  StatusObject status =
      Make(500, "InternalError", fmt::format("Internal error occurred: {}", what));
  status.details.emplace().causes.push_back({"", std::string(what), ""});
  return status;
}

StatusObject ServiceUnavailable(std::string message) {
  return Make(503, "ServiceUnavailable", std::move(message));
}

StatusObject TimedOut(std::string_view text, std::int32_t retry_after_seconds) {
  StatusObject status = Make(504, "Timeout", fmt::format("Timeout: {}", text));
  status.details.emplace().retry_after_seconds = retry_after_seconds;
  return status;
}

StatusObject Success(int code, std::optional<StatusDetails> details) {
  StatusObject status = Make(code, "", "");
  status.is_success = true;
  status.details = std::move(details);
  return status;
}

StatusObject FromError(const Error& error) {
  if (error.reason == Reason::InternalError) return InternalError(error.Text());
  StatusObject status = InternalError(error.Text());
  for (const ReasonRow& row : kReasons) {
    if (row.reason == error.reason) status = Make(row.code, row.name, error.Text());
  }
  for (const std::string& cause : error.causes) {
    if (!status.details) status.details.emplace();
    status.details->causes.push_back({.reason = cause, .message = {}, .field = {}});
  }
  return status;
}

Error ToError(const StatusObject& refusal) {
  const auto by_name = std::ranges::find(kReasons, refusal.reason, &ReasonRow::name);
  const auto by_code = std::ranges::find(kReasons, refusal.code, &ReasonRow::code);
  Error error{.reason = refusal.code < 500 ? Reason::BadRequest : Reason::InternalError,
              .field = {},
              .message = refusal.message,
              .causes = {}};
  // A server may send a code without a reason, or with one that is not listed here.
  if (!refusal.reason.empty() && by_name != kReasons.end()) {
    error.reason = by_name->reason;
  } else if (refusal.code == 408) {
    error.reason = Reason::Timeout;
  } else if (refusal.code == 409) {
    error.reason = Reason::Conflict;
  } else if (by_code != kReasons.end()) {
    error.reason = by_code->reason;
  }
  if (!refusal.details) return error;
  for (const StatusCause& cause : refusal.details->causes) error.causes.push_back(cause.reason);
  return error;
}

}  // namespace plimsoll::api
