#include "apiserver/write/body.h"

#include <fmt/format.h>

#include "api/defaults/defaults.h"
#include "api/defaults/stored_form.h"
#include "api/protobuf/decode_protobuf.h"
#include "api/schema/api_version.h"
#include "apiserver/audit/request_object.h"
#include "apiserver/limits.h"
#include "apiserver/resource/confidential.h"
#include "apiserver/response/media_range.h"
#include "apiserver/strategy/object_editor.h"
#include "base/go_text.h"
#include "base/text/hex.h"
#include "codec/go_kind.h"
#include "codec/json.h"
#include "codec/patch/go_syntax_error.h"
#include "codec/yaml.h"

namespace plimsoll::apiserver {
namespace {

/// Returns the start of a body for an error message, in hex unless it looks like JSON.
std::string SummaryOf(std::string_view body);

using codec::Value;

constexpr std::string_view kJson = "application/json";
constexpr std::string_view kYaml = "application/yaml";
constexpr std::string_view kProtobuf = "application/vnd.kubernetes.protobuf";
constexpr std::size_t kSummaryBytesMax = 30;

struct GroupVersionKind {
  std::string group;
  std::string version;
  std::string kind;
};

std::unexpected<api::StatusObject> Unrecognized(const api::KindDesc& kind, std::string_view why,
                                                std::string_view body) {
  const std::string shown = IsConfidential(kind) ? std::string(kOmittedValue) : SummaryOf(body);
  return std::unexpected(api::BadRequest(fmt::format(
      "the object provided is unrecognized (must be of type {}): {} ({})", kind.kind, why, shown)));
}

std::unexpected<api::StatusObject> NotHandled(const GroupVersionKind& found,
                                              const api::KindDesc& kind, std::string_view why) {
  return std::unexpected(
      api::BadRequest(fmt::format("{} in version {} cannot be handled as a {}: {}", found.kind,
                                  GoQuote(found.version), kind.kind, why)));
}

/// Returns the text of upstream's decoder of kind and apiVersion for this syntax error.
std::string ParseFault(std::string_view body, const Error& error) {
  const auto fault = codec::GoSyntaxError(body);
  return "couldn't get version/kind; json parse error: " + fault.value_or(error.message);
}

api::Answer<Draft> ReadJson(std::string_view body, const api::KindDesc& kind) {
  auto parsed = codec::ParseJson(std::string(body), {.bytes_max = kBodyBytesMax});
  if (!parsed) return Unrecognized(kind, ParseFault(body, parsed.error()), body);
  return Draft(std::move(*parsed));
}

api::Answer<Draft> ReadYaml(std::string_view body, const api::KindDesc& kind) {
  auto parsed = codec::ParseYaml(body, {.bytes_max = kBodyBytesMax});
  if (!parsed) return Unrecognized(kind, parsed.error().message, body);
  if (parsed->empty()) return std::make_shared<codec::Document>();
  return Draft(std::move(parsed->front()));
}

/// Decodes only the type of an object of another kind. The caller rejects it.
api::Answer<Draft> ReadProtobuf(std::string_view body, const api::KindDesc& kind) {
  auto envelope = api::ReadProtobufEnvelope(body);
  if (!envelope) return Unrecognized(kind, envelope.error().message, body);
  if (!envelope->kind.empty() && envelope->kind != kind.kind) envelope->message = {};
  auto decoded = api::DecodeProtobuf(*envelope, *kind.type, {.bytes_max = kBodyBytesMax});
  if (!decoded) {
    return NotHandled({std::string(kind.group), std::string(kind.version), std::string(kind.kind)},
                      kind, decoded.error().message);
  }
  return Draft(std::move(*decoded));
}

/// Returns a string member. Missing and null are the empty string, as in Go.
Result<std::string_view> TextMember(const Value& tree, std::string_view key) {
  const Value* value = tree.Find(key);
  if (value == nullptr || value->is_null()) return std::string_view();
  if (value->is_string()) return value->text();
  return Fail(Reason::BadRequest,
              fmt::format("couldn't get version/kind; json parse error: json: cannot unmarshal {} "
                          "into Go struct field .{} of type string",
                          codec::GoKindText(*value), key));
}

/// Returns kind and apiVersion of the body. Missing values default to those of the endpoint.
Result<GroupVersionKind> ReadGroupVersionKind(const Value& tree, const api::KindDesc& kind) {
  GroupVersionKind found{std::string(kind.group), std::string(kind.version),
                         std::string(kind.kind)};
  if (tree.is_null()) return found;
  if (!tree.is_object()) {
    return Fail(Reason::BadRequest,
                fmt::format("couldn't get version/kind; json parse error: json: cannot unmarshal "
                            "{} into Go value of type struct {{ APIVersion string "
                            "\"json:\\\"apiVersion,omitempty\\\"\"; Kind string "
                            "\"json:\\\"kind,omitempty\\\"\" }}",
                            codec::GoKindText(tree)));
  }
  const std::string_view text = PL_TRY(TextMember(tree, "kind"));
  const std::string_view version = PL_TRY(TextMember(tree, "apiVersion"));
  if (!text.empty()) found.kind = text;
  if (version.empty() || version == "/") return found;
  const std::size_t slash = version.find('/');
  if (slash != std::string_view::npos && version.find('/', slash + 1) != std::string_view::npos) {
    return Fail(Reason::BadRequest, fmt::format("unexpected GroupVersion string: {}", version));
  }
  found.group = slash == std::string_view::npos ? "" : version.substr(0, slash);
  found.version = slash == std::string_view::npos ? version : version.substr(slash + 1);
  return found;
}

/// Returns the package of upstream's internal type of a kind: `core.Pod`, `rbac.Role`.
std::string_view InternalPackage(std::string_view group) {
  if (group.empty() || group == "events.k8s.io") return "core";
  return group.substr(0, group.find('.'));
}

/// Rejects objects of a kind that the endpoint does not accept. Checks in upstream's order.
api::Answer<void> CheckKind(const GroupVersionKind& found, const api::KindDesc& kind,
                            std::string_view older_version) {
  const std::string version = api::ApiVersionOf(found.group, found.version);
  if (found.kind != kind.kind || found.group != kind.group) {
    const api::KindDesc* described = api::FindKind(found.group, found.version, found.kind);
    if (described == nullptr) {
      return NotHandled(found, kind,
                        fmt::format("no kind {} is registered for version {} in scheme "
                                    "\"pkg/api/legacyscheme/scheme.go:30\"",
                                    GoQuote(found.kind), GoQuote(version)));
    }
    return NotHandled(
        found, kind,
        fmt::format("converting ({}) to ({}.{}): unknown conversion", described->type->go_name,
                    InternalPackage(kind.group), kind.kind));
  }
  if (found.version != kind.version && found.version != older_version) {
    return std::unexpected(api::BadRequest(
        fmt::format("the API version in the data ({}) does not match the expected API version ({})",
                    version, ApiVersionOf(kind))));
  }
  return {};
}

std::string SummaryOf(std::string_view body) {
  if (body.empty()) return "<empty>";
  const std::string_view shown = body.substr(0, kSummaryBytesMax);
  std::string out;
  if (body.front() == '{') {
    out = shown;
  } else {
    out = HexOf(shown);
  }
  if (body.size() > kSummaryBytesMax) out += " ...";
  return out;
}

}  // namespace

api::Answer<Draft> ReadBody(const ApiRequest& request, const api::KindDesc& kind) {
  if (request.http.body.size() > kBodyBytesMax) {
    return std::unexpected(api::EntityTooLarge(fmt::format("limit is {}", kBodyBytesMax)));
  }
  const std::string_view header = request.http.headers.Find("Content-Type");
  const std::string type = header.empty() ? std::string(kJson) : ParseMediaType(header).type;
  if (type == kJson) return ReadJson(request.http.body, kind);
  if (type == kYaml) return ReadYaml(request.http.body, kind);
  if (type == kProtobuf) return ReadProtobuf(request.http.body, kind);
  return std::unexpected(api::UnsupportedMediaType({kJson, kYaml, kProtobuf}));
}

api::Answer<void> CheckBodyKind(const Value& tree, const api::KindDesc& kind, std::string_view body,
                                std::string_view older_version) {
  const Result<GroupVersionKind> found = ReadGroupVersionKind(tree, kind);
  if (!found) return Unrecognized(kind, found.error().message, body);
  return CheckKind(*found, kind, older_version);
}

void SetKind(codec::Document& draft, const api::KindDesc& kind) {
  const ObjectEditor object(draft, kind);
  object.SetText("kind", kind.kind);
  object.SetText("apiVersion", ApiVersionOf(kind));
}

api::Answer<Draft> DecodeBody(const ApiRequest& request, const api::KindDesc& kind,
                              api::FieldValidation validation, std::vector<std::string>& warnings,
                              std::string_view older_version) {
  Draft draft = PL_TRY(ReadBody(request, kind));
  PL_TRY(CheckBodyKind(draft->root(), kind, request.http.body, older_version));
  if (draft->root().is_null()) draft->root() = draft->NewObject();
  std::vector<api::StrictFinding> findings;
  const Status conformed = api::Conform(*draft, draft->root(), *kind.type, validation, findings);
  if (!conformed) {
    return NotHandled({std::string(kind.group), std::string(kind.version), std::string(kind.kind)},
                      kind, conformed.error().message);
  }
  for (const api::StrictFinding& finding : findings) warnings.push_back(finding.Text());
  SetKind(*draft, kind);
  api::ApplyDefaults(*draft, draft->root(), *kind.type);
  api::PutInStoredForm(*draft, draft->root(), *kind.type);
  AuditRequestObject(request, draft->root());
  return draft;
}

}  // namespace plimsoll::apiserver
