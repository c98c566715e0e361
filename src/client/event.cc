#include "client/event.h"

#include <utility>

#include "codec/json.h"

namespace plimsoll::client {
namespace {

using codec::Value;

void SetText(codec::Document& document, Value& object, std::string_view key,
             std::string_view text) {
  if (!text.empty()) document.Set(object, key, Value::String(text));
}

Value ReferenceTree(codec::Document& document, const ObjectReference& reference) {
  Value out = document.NewObject();
  SetText(document, out, "kind", reference.kind);
  SetText(document, out, "namespace", reference.namespace_);
  SetText(document, out, "name", reference.name);
  SetText(document, out, "uid", reference.uid);
  SetText(document, out, "apiVersion", reference.api_version);
  SetText(document, out, "resourceVersion", reference.resource_version);
  SetText(document, out, "fieldPath", reference.field_path);
  return out;
}

/// Returns the part that both formats have in common.
Value NewEvent(codec::Document& document, const Event& event, std::string_view api_version) {
  Value root = document.NewObject();
  document.Set(root, "apiVersion", Value::String(api_version));
  document.Set(root, "kind", Value::String("Event"));
  Value metadata = document.NewObject();
  document.Set(metadata, "name", Value::String(event.name));
  document.Set(metadata, "namespace", Value::String(event.namespace_()));
  document.Set(root, "metadata", metadata);
  document.Set(root, "reason", Value::String(event.reason));
  document.Set(root, "type", Value::String(api::ToText(event.type)));
  return root;
}

Value SeriesTree(codec::Document& document, const Event& event) {
  Value series = document.NewObject();
  document.Set(series, "count", Value::Int(event.count));
  document.Set(series, "lastObservedTime", document.NewString(FormatMicroTime(event.last)));
  return series;
}

}  // namespace

ObjectReference ReferenceTo(const api::ObjectRef& object) {
  const api::KindDesc& kind = object.kind();
  std::string version(kind.group);
  if (!version.empty()) version += '/';
  version += kind.version;
  ObjectReference reference{.api_version = std::move(version),
                            .kind = std::string(kind.kind),
                            .namespace_ = std::string(object.namespace_()),
                            .name = std::string(object.name()),
                            .uid = std::string(object.uid()),
                            .resource_version = {},
                            .field_path = {}};
  if (object.object()) reference.resource_version = object.object()->metadata().resource_version;
  return reference;
}

std::string CoreEventJson(const Event& event) {
  codec::Document document;
  Value root = NewEvent(document, event, "v1");
  document.Set(root, "involvedObject", ReferenceTree(document, event.regarding));
  document.Set(root, "message", Value::String(event.message));
  Value from = document.NewObject();
  SetText(document, from, "component", event.source.component);
  SetText(document, from, "host", event.source.host);
  document.Set(root, "source", from);
  document.Set(root, "firstTimestamp", document.NewString(FormatTime(event.first)));
  document.Set(root, "lastTimestamp", document.NewString(FormatTime(event.last)));
  document.Set(root, "count", Value::Int(event.count));
  document.Set(root, "eventTime", Value::Null());
  document.Set(root, "reportingComponent", Value::String(event.source.component));
  document.Set(root, "reportingInstance", Value::String(event.source.host));
  return codec::WriteJson(root);
}

std::string CoreEventPatch(const Event& event) {
  codec::Document document;
  Value root = document.NewObject();
  document.Set(root, "count", Value::Int(event.count));
  document.Set(root, "lastTimestamp", document.NewString(FormatTime(event.last)));
  document.Set(root, "message", Value::String(event.message));
  return codec::WriteJson(root);
}

std::string SeriesEventJson(const Event& event) {
  codec::Document document;
  Value root = NewEvent(document, event, "events.k8s.io/v1");
  document.Set(root, "regarding", ReferenceTree(document, event.regarding));
  if (event.related) document.Set(root, "related", ReferenceTree(document, *event.related));
  document.Set(root, "note", Value::String(event.message));
  document.Set(root, "action", Value::String(event.action));
  document.Set(root, "eventTime", document.NewString(FormatMicroTime(event.first)));
  document.Set(root, "reportingController", Value::String(event.source.component));
  document.Set(root, "reportingInstance",
               document.NewString(event.source.component + "-" + event.source.host));
  if (event.count > 1) document.Set(root, "series", SeriesTree(document, event));
  return codec::WriteJson(root);
}

std::string SeriesEventPatch(const Event& event) {
  codec::Document document;
  Value root = document.NewObject();
  document.Set(root, "series", SeriesTree(document, event));
  return codec::WriteJson(root);
}

}  // namespace plimsoll::client
