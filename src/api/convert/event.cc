#include "api/convert/event.h"

#include <string>
#include <utility>

namespace plimsoll::api {
namespace {

/// (core/v1, events.k8s.io/v1)
constexpr std::pair<std::string_view, std::string_view> kNames[] = {
    {"involvedObject", "regarding"},
    {"message", "note"},
    {"source", "deprecatedSource"},
    {"firstTimestamp", "deprecatedFirstTimestamp"},
    {"lastTimestamp", "deprecatedLastTimestamp"},
    {"count", "deprecatedCount"},
    {"reportingComponent", "reportingController"},
};

constexpr std::string_view kNewGroup = "events.k8s.io";

}  // namespace

void ConvertEvent(codec::Document& document, codec::Value& event, const KindDesc& wanted) {
  const bool wants_new = wanted.group == kNewGroup;
  const std::string_view version = wants_new ? "events.k8s.io/v1" : "v1";
  const codec::Value* present = event.Find("apiVersion");
  if (present != nullptr && present->is_string() && present->text() == version) return;
  for (codec::Member& member : event.members()) {
    for (const auto& [core, modern] : kNames) {
      if (member.key != (wants_new ? core : modern)) continue;
      member.key = wants_new ? modern : core;
      member.field = codec::kUnknownField;
      break;
    }
  }
  document.Set(event, "apiVersion", codec::Value::String(version));
}

}  // namespace plimsoll::api
