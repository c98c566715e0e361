#include "apiserver/read/watch_frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/schema/api_version.h"
#include "apiserver/read/served_object.h"
#include "apiserver/table/table.h"

namespace plimsoll::apiserver {
namespace {

constexpr std::string_view kStart = R"({"type":")";
constexpr std::string_view kMiddle = R"(","object":)";
constexpr std::string_view kEnd = "}\n";

bool IsTable(const Negotiated& wanted) { return wanted.view == Negotiated::View::Table; }

}  // namespace

std::string_view ToText(api::WatchEvent::Type type) {
  switch (type) {
    case api::WatchEvent::Type::Added:
      return "ADDED";
    case api::WatchEvent::Type::Modified:
      return "MODIFIED";
    case api::WatchEvent::Type::Deleted:
      return "DELETED";
    case api::WatchEvent::Type::Bookmark:
      return "BOOKMARK";
  }
  return "";
}

WatchFrames::WatchFrames(const Resource& resource, const Negotiated& wanted, bool is_local)
    : resource_(resource), wanted_(wanted), is_local_(is_local) {
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    keys_[i] = fmt::format("{} {} {} {} {} {} {}", i, resource.group(), resource.kind->version,
                           std::to_underlying(wanted.view), wanted.view_version,
                           std::to_underlying(wanted.include), is_local);
  }
}

WatchFrames::Meaning WatchFrames::MeaningOf(const CacheEvent& event, const Selection& selection,
                                            ObjectPtr& departed) {
  const bool was_in = event.before && selection.Matches(*event.before);
  const bool is_in = event.now && selection.Matches(*event.now);
  if (is_in) return {was_in ? Type::Modified : Type::Added, &event.now};
  if (!was_in) return {};
  if (!departed) departed = event.before->At(event.revision);
  return {Type::Deleted, &departed};
}

void WatchFrames::AppendObject(const ObjectPtr& object, bool is_first, Instant now,
                               std::string& out) const {
  switch (wanted_.view) {
    case Negotiated::View::Table:
      out += fmt::format(
          R"({{"kind":"Table","apiVersion":"meta.k8s.io/{}","metadata":{{"resourceVersion":"{}"}},)",
          wanted_.view_version, store::Number(object->revision()));
      out += is_first ? ColumnDefinitionsJson(resource_) : "\"columnDefinitions\":null";
      out += ",\"rows\":[";
      AppendTableRow(resource_, *AsServed(resource_, object), wanted_.include, now, out);
      out += "]}";
      return;
    case Negotiated::View::PartialMetadata:
      AppendPartialMetadata(*object, wanted_.view_version, out);
      return;
    case Negotiated::View::Object:
      out += *AsServed(resource_, object)->bytes();
      return;
  }
}

net::Piece WatchFrames::Object(Type type, const ObjectPtr& object, bool is_first,
                               Instant now) const {
  if (is_local_ && wanted_.view == Negotiated::View::Object) {
    const ObjectPtr served = AsServed(resource_, object);
    // A client that gets the text instead reports why it cannot be decoded.
    if (auto decoded = served->Decode()) {
      const std::size_t bytes = kStart.size() + ToText(type).size() + kMiddle.size() +
                                served->bytes()->size() + kEnd.size();
      return {nullptr, MakePayload(api::WatchEvent{.type = type, .object = *std::move(decoded)}),
              bytes};
    }
  }
  std::string text;
  text.reserve(object->bytes()->size() + 40);
  text += kStart;
  text += ToText(type);
  text += kMiddle;
  AppendObject(object, is_first, now, text);
  text += kEnd;
  return {MakeBytes(std::move(text))};
}

net::Piece WatchFrames::Shared(const CacheEvent& event, Type type, const ObjectPtr& object,
                               bool is_first, Instant now) const {
  const bool has_columns = is_first && IsTable(wanted_);
  const std::string& key = keys_[std::to_underlying(type) + (has_columns ? 3u : 0u)];
  auto& list = event.forms.list;
  const auto known = std::ranges::find(list, key, &std::pair<std::string, net::Piece>::first);
  if (known != list.end()) return known->second;
  list.emplace_back(key, Object(type, object, has_columns, now));
  return list.back().second;
}

net::Piece WatchFrames::Bookmark(store::Revision revision, bool ends_initial_events) const {
  const std::string metadata = fmt::format(
      R"({{"resourceVersion":"{}"{}}})", store::Number(revision),
      ends_initial_events ? R"(,"annotations":{"k8s.io/initial-events-end":"true"})" : "");
  std::string object;
  switch (wanted_.view) {
    case Negotiated::View::Table:
      object = fmt::format(
          R"({{"kind":"Table","apiVersion":"meta.k8s.io/{}","metadata":{{"resourceVersion":"{}"}},)"
          R"("columnDefinitions":null,"rows":[]}})",
          wanted_.view_version, store::Number(revision));
      break;
    case Negotiated::View::PartialMetadata:
      object = fmt::format(
          R"({{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/{}","metadata":{}}})",
          wanted_.view_version, metadata);
      break;
    case Negotiated::View::Object:
      object = fmt::format(R"({{"kind":"{}","apiVersion":"{}","metadata":{}}})",
                           resource_.kind->kind, ApiVersionOf(*resource_.kind), metadata);
      break;
  }
  return {MakeBytes(fmt::format("{{\"type\":\"BOOKMARK\",\"object\":{}}}\n", object))};
}

net::Piece WatchFrames::Failure(const api::StatusObject& status) {
  return {MakeBytes(fmt::format("{{\"type\":\"ERROR\",\"object\":{}}}\n", status.Json()))};
}

}  // namespace plimsoll::apiserver
