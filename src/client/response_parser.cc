#include "client/response_parser.h"

#include <algorithm>
#include <array>
#include <utility>

#include "api/schema/api_version.h"
#include "api/status/read_status.h"
#include "base/assert.h"
#include "base/go_text.h"
#include "client/lean_object.h"
#include "client/limits.h"
#include "codec/value_at.h"

namespace plimsoll::client {
namespace {

using codec::Value;

// The server limits what it sends; these limits only stop an endless response.
constexpr codec::ParseLimits kLimits{
    .bytes_max = kResponseBytesMax, .depth_max = 200, .values_max = 1u << 28};
constexpr api::DecodeOptions kAsSent{.field_validation = api::FieldValidation::Ignore,
                                     .apply_defaults = false};
constexpr std::string_view kObject = "object";
// Needed only for server-side apply, and half the size of most objects.
constexpr std::array kManagedFields{kObject, std::string_view("metadata"),
                                    std::string_view("managedFields")};
// A deletion needs no more than the name: the other fields were reported before.
constexpr std::array kSpec{kObject, std::string_view("spec")};
constexpr std::array kStatus{kObject, std::string_view("status")};
constexpr std::array kData{kObject, std::string_view("data")};
constexpr std::string_view kDeletionStart = R"({"type":"DELETED",)";

std::span<const codec::KeyPath> SkippedPathsOf(std::string_view line, const UnreadFields& unread) {
  static constexpr std::array<codec::KeyPath, 4> kOfDeletion{kManagedFields, kSpec, kStatus, kData};
  if (line.starts_with(kDeletionStart)) return kOfDeletion;
  return unread.paths();
}

/// Sets kind and apiVersion, which list items mostly omit, but which are needed to send them back.
void SetKind(codec::Document& document, const api::KindDesc& kind) {
  Value& tree = document.root();
  if (!tree.is_object() || tree.Find("kind") != nullptr) return;
  document.Set(tree, "kind", Value::String(kind.kind));
  document.Set(tree, "apiVersion", document.NewString(ApiVersionOf(kind)));
}

/// Fails if the object is of another kind: callers rely on the requested one.
Status CheckKind(const api::Object& object, const api::KindDesc& asked) {
  const api::KindDesc& got = object.kind();
  if (got.kind == asked.kind && got.group == asked.group && got.version == asked.version) return {};
  return Fail(Reason::InternalError, "the server sent a " + std::string(got.kind) +
                                         " in place of a " + std::string(asked.kind));
}

}  // namespace

UnreadFields::UnreadFields(std::span<const std::string_view> paths) {
  PL_ASSERT(paths.size() <= kUnreadMax);
  for (std::string_view rest : paths) {
    std::vector<std::string_view>& keys = keys_.emplace_back(1, kObject);
    for (std::size_t dot = rest.find('.'); dot != rest.npos; dot = rest.find('.')) {
      keys.push_back(rest.substr(0, dot));
      rest.remove_prefix(dot + 1);
    }
    keys.push_back(rest);
  }
  paths_.assign(keys_.begin(), keys_.end());
  paths_.emplace_back(kManagedFields);
}

Result<ObjectPtr> ReadObject(std::string text) {
  const std::shared_ptr<codec::Document> document =
      PL_TRY(codec::ParseJson(std::move(text), kLimits));
  return PL_TRY(api::DecodeObject(document, kAsSent)).object;
}

Result<api::ObjectList> ReadList(std::string text, const api::KindDesc& kind, bool is_lean) {
  const auto document = PL_TRY(codec::ParseJson(std::move(text), kLimits));
  const Value& root = document->root();
  const Value* items = root.Find("items");
  if (TextAt(root, "kind").empty() || items == nullptr) {
    return Fail(Reason::InternalError, "the server's answer is no list");
  }
  api::ObjectList out;
  if (const Value* metadata = root.Find("metadata"); metadata != nullptr) {
    out.resource_version = TextAt(*metadata, "resourceVersion");
    out.continue_token = TextAt(*metadata, "continue");
  }
  out.objects.reserve(items->items().size());
  for (const Value& item : items->items()) {
    const auto own = is_lean ? LeanCopy(item) : std::make_shared<codec::Document>();
    if (!is_lean) own->root() = own->Clone(item);
    SetKind(*own, kind);
    ObjectPtr object = PL_TRY(api::DecodeObject(own, kAsSent)).object;
    PL_TRY(CheckKind(*object, kind));
    out.objects.push_back(std::move(object));
  }
  return out;
}

api::Answer<api::WatchEvent> ReadWatchEvent(std::string line, const api::KindDesc& kind,
                                            const UnreadFields& unread) {
  const auto fail = [](std::string_view what) {
    return std::unexpected(
        api::InternalError("unable to decode a watch event: " + std::string(what)));
  };
  const std::span<const codec::KeyPath> skipped = SkippedPathsOf(line, unread);
  auto parsed = codec::ParseJson(std::move(line), kLimits, skipped);
  if (!parsed) return fail(parsed.error().Text());
  const std::shared_ptr<codec::Document> document = *std::move(parsed);
  const std::string_view type = TextAt(document->root(), "type");
  Value* object = document->root().Find("object");
  if (object == nullptr || !object->is_object()) return fail("it has no object");
  if (type == "ERROR") {
    std::optional<api::StatusObject> status = api::ReadStatus(*object);
    if (!status) return fail("its error is no Status");
    return std::unexpected(*std::move(status));
  }
  api::WatchEvent event;
  if (type == "BOOKMARK") {
    const Value* metadata = object->Find("metadata");
    if (metadata == nullptr) return fail("a bookmark has no metadata");
    event.resource_version = TextAt(*metadata, "resourceVersion");
    // Resuming without a version would miss the events in between.
    if (event.resource_version.empty()) return fail("a bookmark has no resourceVersion");
    const Value* annotations = metadata->Find("annotations");
    event.ends_initial_events =
        annotations != nullptr && TextAt(*annotations, "k8s.io/initial-events-end") == "true";
    return event;
  }
  if (type == "ADDED") {
    event.type = api::WatchEvent::Type::Added;
  } else if (type == "MODIFIED") {
    event.type = api::WatchEvent::Type::Modified;
  } else if (type == "DELETED") {
    event.type = api::WatchEvent::Type::Deleted;
  } else {
    return fail("its type is " + GoQuote(type));
  }
  auto decoded = api::DecodeObject(document, {.tree = object, .path = {}}, kAsSent);
  if (!decoded) return fail(decoded.error().Text());
  if (const Status checked = CheckKind(*decoded->object, kind); !checked) {
    return fail(checked.error().Text());
  }
  event.object = std::move(decoded->object);
  return event;
}

std::optional<std::int32_t> ReadRetryAfter(const net::Headers& headers) {
  const Result<std::int64_t> seconds = GoParseInt(headers.Find("Retry-After"));
  if (!seconds || *seconds < 0 || *seconds > INT32_MAX) return std::nullopt;
  return static_cast<std::int32_t>(*seconds);
}

api::StatusObject ReadRefusal(const net::ClientResponse& response) {
  api::StatusObject out = api::ReadRefusal(response.status, response.body);
  const std::optional<std::int32_t> retry_after = ReadRetryAfter(response.headers);
  if (retry_after && (!out.details || out.details->retry_after_seconds == 0)) {
    if (!out.details) out.details.emplace();
    out.details->retry_after_seconds = *retry_after;
  }
  return out;
}

}  // namespace plimsoll::client
