#include "client/event_correlator.h"

#include <algorithm>
#include <chrono>
#include <initializer_list>
#include <utility>

#include "codec/json.h"

namespace plimsoll::client {
namespace {

using codec::Value;

constexpr std::size_t kSimilarMax = 10;
constexpr Duration kSimilarInterval = std::chrono::minutes(10);
constexpr std::string_view kCombined = "(combined from similar events): ";
constexpr double kBurst = 25;
constexpr Duration kRefill = std::chrono::minutes(5);  // of one token

/// Parts that may hold anything, joined so that no two lists give one text.
std::string Join(std::initializer_list<std::string_view> parts) {
  std::string out;
  for (const std::string_view part : parts) {
    out += std::to_string(part.size());
    out += ':';
    out += part;
  }
  return out;
}

std::string_view Text(EventType type) { return type == EventType::Normal ? "Normal" : "Warning"; }

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

}  // namespace

ObjectReference ReferenceTo(const api::Object& object) {
  const api::KindDesc& kind = object.kind();
  const api::ObjectMeta& metadata = object.metadata();
  std::string version(kind.group);
  if (!version.empty()) version += '/';
  version += kind.version;
  return {.api_version = std::move(version),
          .kind = std::string(kind.kind),
          .namespace_ = std::string(metadata.namespace_),
          .name = std::string(metadata.name),
          .uid = std::string(metadata.uid),
          .resource_version = std::string(metadata.resource_version),
          .field_path = {}};
}

std::string Event::Json(const EventSource& source) const {
  codec::Document document;
  Value root = document.NewObject();
  document.Set(root, "apiVersion", Value::String("v1"));
  document.Set(root, "kind", Value::String("Event"));
  Value metadata = document.NewObject();
  document.Set(metadata, "name", Value::String(name));
  document.Set(metadata, "namespace", Value::String(namespace_()));
  document.Set(root, "metadata", metadata);
  document.Set(root, "involvedObject", ReferenceTree(document, regarding));
  document.Set(root, "reason", Value::String(reason));
  document.Set(root, "message", Value::String(message));
  Value from = document.NewObject();
  SetText(document, from, "component", source.component);
  SetText(document, from, "host", source.host);
  document.Set(root, "source", from);
  document.Set(root, "firstTimestamp", document.NewString(FormatTime(first)));
  document.Set(root, "lastTimestamp", document.NewString(FormatTime(last)));
  document.Set(root, "count", Value::Int(count));
  document.Set(root, "type", Value::String(Text(type)));
  document.Set(root, "eventTime", Value::Null());
  document.Set(root, "reportingComponent", Value::String(source.component));
  document.Set(root, "reportingInstance", Value::String(source.host));
  return codec::WriteJson(root);
}

std::string Event::PatchJson() const {
  codec::Document document;
  Value root = document.NewObject();
  document.Set(root, "count", Value::Int(count));
  document.Set(root, "lastTimestamp", document.NewString(FormatTime(last)));
  document.Set(root, "message", Value::String(message));
  return codec::WriteJson(root);
}

/// The key that the event counts under. Changes the message of one too many.
std::string EventCorrelator::Aggregate(Event& event, Instant now) {
  const ObjectReference& it = event.regarding;
  std::string group = Join({source_.component, source_.host, it.kind, it.namespace_, it.name,
                            it.uid, it.api_version, Text(event.type), event.reason});
  Similar& similar = similar_[group];
  if (now - similar.last > kSimilarInterval) similar.messages.clear();
  similar.last = now;
  similar.messages.insert(event.message);
  if (similar.messages.size() < kSimilarMax) {
    return group + Join({it.field_path, event.message});
  }
  // One is as good as another here; the set need not grow.
  similar.messages.erase(similar.messages.begin());
  event.message.insert(0, kCombined);
  return group;
}

bool EventCorrelator::TakeToken(const Event& event, Instant now) {
  const ObjectReference& it = event.regarding;
  Budget& budget = budgets_[Join(
      {source_.component, source_.host, it.kind, it.namespace_, it.name, it.uid, it.api_version})];
  if (!std::exchange(budget.is_used, true)) {
    budget.tokens = kBurst;
  } else if (now > budget.last) {
    const std::chrono::duration<double> passed = now - budget.last;
    budget.tokens = std::min(kBurst, budget.tokens + passed / kRefill);
  }
  budget.last = std::max(budget.last, now);
  if (budget.tokens < 1) return false;
  budget.tokens -= 1;
  return true;
}

std::optional<EventCorrelator::Outcome> EventCorrelator::Correlate(Event event, Instant now) {
  Known& known = known_[Aggregate(event, now)];
  Outcome outcome{.event = std::move(event), .is_new = known.count == 0};
  if (outcome.is_new) {
    known.name = outcome.event.name;
    known.first = outcome.event.first;
  } else {
    outcome.event.name = known.name;
    outcome.event.first = known.first;
  }
  outcome.event.count = ++known.count;
  if (!TakeToken(outcome.event, now)) return std::nullopt;
  return outcome;
}

}  // namespace plimsoll::client
