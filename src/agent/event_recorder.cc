#include "agent/event_recorder.h"

#include <fmt/format.h>

#include <utility>

#include "agent/limits.h"
#include "api/meta/own_annotation.h"

namespace plimsoll::agent {

void EventRecorder::Record(const ObjectPtr& regarding, const NodeRecord& node, LifeEvent event,
                           std::string field_path, const Turn& turn) {
  if (node.is_silent) return;
  if (event.type == EventType::Normal && !tokens_.Acquire(turn.now)) return;
  turn.Do(RecordEvent{.regarding = regarding,
                      .type = event.type,
                      .reason = std::string(event.reason),
                      .message = std::move(event.message),
                      .host = node.name,
                      .field_path = std::move(field_path)});
}

void EventRecorder::WarnOfDeprecatedAnnotations(const ObjectPtr& regarding, const NodeRecord& node,
                                                const Turn& turn) {
  for (const auto& [key, value] : regarding->metadata().annotations) {
    std::string advice = api::DeprecationOf(key);
    if (advice.empty() || deprecated_keys_.size() >= kDeprecatedKeysMax) continue;
    if (!deprecated_keys_.emplace(key).second) continue;
    Record(regarding, node,
           {{},
            EventType::Warning,
            "DeprecatedAnnotation",
            fmt::format("metadata.annotations[{}]: {}", key, advice)},
           {}, turn);
  }
}

}  // namespace plimsoll::agent
