#include "apiserver/response/negotiation.h"

#include <fmt/format.h>

#include "apiserver/request/in_process.h"
#include "apiserver/response/media_range.h"
#include "apiserver/response/warning_texts.h"
#include "apiserver/table/table.h"
#include "base/go_text.h"
#include "codec/json.h"
#include "codec/yaml.h"

namespace plimsoll::apiserver {
namespace {

constexpr std::string_view kJson = "application/json";
constexpr std::string_view kYaml = "application/yaml";

/// Sets the view that `as` names. Returns false if that view does not exist.
bool ReadView(const MediaRange& range, Negotiated& wanted) {
  const std::string_view as = range.Parameter("as");
  if (as.empty()) return true;
  const std::string_view version = range.Parameter("v");
  if (range.Parameter("g") != "meta.k8s.io" || (version != "v1" && version != "v1beta1")) {
    return false;
  }
  if (as == "Table") {
    wanted.view = Negotiated::View::Table;
  } else if (as == "PartialObjectMetadata" || as == "PartialObjectMetadataList") {
    wanted.view = Negotiated::View::PartialMetadata;
  } else {
    return false;
  }
  wanted.view_version = version;
  return true;
}

api::Answer<Negotiated::Include> ReadInclude(const net::Target& target) {
  const std::string_view text = target.Query("includeObject");
  if (text.empty() || text == "Metadata") return Negotiated::Include::Metadata;
  if (text == "None") return Negotiated::Include::None;
  if (text == "Object") return Negotiated::Include::Object;
  api::FieldErrors errors;
  errors.Invalid(api::FieldPath("includeObject"), text,
                 "must be 'Metadata', 'Object', 'None', or empty");
  return std::unexpected(api::BadRequest(errors.Text()));
}

/// Returns true for `?pretty`, and for curl, Wget and browsers, as upstream.
bool WantsPretty(const ApiRequest& request) {
  if (request.target.HasQuery("pretty")) {
    const std::string_view text = request.target.Query("pretty");
    return text != "false" && text != "0";
  }
  const std::string_view agent = request.http.headers.Find("User-Agent");
  return agent.starts_with("curl") || agent.starts_with("Wget") || agent.starts_with("Mozilla/5.0");
}

net::Headers HeadersOf(const ApiRequest& request, std::string_view media_type) {
  net::Headers headers;
  headers.Add("Audit-Id", request.audit_id);
  headers.Add("Cache-Control", "no-cache, private");
  headers.Add("Content-Type", std::string(media_type));
  if (request.warnings.empty()) return headers;
  for (const std::string& warning : BoundedWarnings(request.warnings)) {
    headers.Add("Warning", fmt::format("299 - {}", GoQuote(warning)));
  }
  return headers;
}

/// Returns a response with the server's JSON in the format that the client accepts.
net::Response Formatted(const ApiRequest& request, const Negotiated& wanted, int status,
                        Bytes json) {
  net::Response response;
  response.status = status;
  response.headers = HeadersOf(request, wanted.is_yaml ? kYaml : kJson);
  if (wanted.is_yaml || wanted.is_pretty) {
    // The limits of requests must not apply: they would reject a stored object in a table row.
    const codec::ParseLimits limits{
        .bytes_max = json->size() + 1, .depth_max = 300, .values_max = json->size() + 1};
    const auto document = codec::ParseJson(*json, limits);
    PL_ASSERT(document.has_value());
    const codec::Value& root = (*document)->root();
    json = MakeBytes(wanted.is_yaml ? codec::WriteYaml(root) : codec::WriteJsonPretty(root) + "\n");
  }
  response.body = std::move(json);
  return response;
}

std::string TableOf(const Negotiated& wanted, const StoredObject& object, Instant now) {
  std::string out = fmt::format(
      R"({{"kind":"Table","apiVersion":"meta.k8s.io/{}","metadata":{{"resourceVersion":"{}"}},)",
      wanted.view_version, store::Number(object.revision()));
  out += ColumnDefinitionsJson(object.resource());
  out += ",\"rows\":[";
  AppendTableRow(object.resource(), object, wanted.include, now, out);
  out += "]}";
  return out;
}

}  // namespace

api::Answer<Negotiated> Negotiate(const ApiRequest& request) {
  Negotiated wanted;
  wanted.is_pretty = WantsPretty(request);
  wanted.include = PL_TRY(ReadInclude(request.target));
  const std::string_view accept = request.http.headers.Find("Accept");
  if (accept.empty()) return wanted;
  for (const MediaRange& range : ParseAccept(accept)) {
    if (!range.Covers(kJson) && !range.Covers(kYaml)) continue;
    if (!ReadView(range, wanted)) continue;
    wanted.is_yaml = !range.Covers(kJson);
    if (range.Parameter("pretty") == "1") wanted.is_pretty = true;
    return wanted;
  }
  return std::unexpected(api::NotAcceptable({kJson, kYaml}));
}

net::Response RespondObject(const ApiRequest& request, const Negotiated& wanted, int status,
                            const ObjectPtr& object, Instant now) {
  switch (wanted.view) {
    case Negotiated::View::Table:
      return Formatted(request, wanted, status, MakeBytes(TableOf(wanted, *object, now)));
    case Negotiated::View::PartialMetadata: {
      std::string text;
      AppendPartialMetadata(*object, wanted.view_version, text);
      return Formatted(request, wanted, status, MakeBytes(std::move(text)));
    }
    case Negotiated::View::Object:
      break;
  }
  net::Response response = Formatted(request, wanted, status, object->bytes());
  if (IsInProcess(request)) {
    if (auto decoded = object->Decode()) response.payload = MakePayload(*std::move(decoded));
  }
  return response;
}

net::Response RespondJson(const ApiRequest& request, const Negotiated& wanted, int status,
                          std::string json) {
  return Formatted(request, wanted, status, MakeBytes(std::move(json)));
}

net::Response RespondStatus(const ApiRequest& request, const api::StatusObject& status) {
  // An unacceptable Accept header must not hide the error: use the default format then.
  const api::Answer<Negotiated> wanted = Negotiate(request);
  net::Response response =
      Formatted(request, wanted.value_or(Negotiated{}), status.code, MakeBytes(status.Json()));
  if (status.details && status.details->retry_after_seconds > 0) {
    response.headers.Add("Retry-After", fmt::format("{}", status.details->retry_after_seconds));
  }
  return response;
}

}  // namespace plimsoll::apiserver
