#include "controller/taint_eviction/arrival.h"

#include <string_view>

namespace plimsoll::controller {
namespace {

std::string_view TextAt(const codec::Value& object, std::string_view key) {
  const codec::Value* const value = object.Find(key);
  return value != nullptr && value->is_string() ? value->text() : std::string_view();
}

std::string_view TimeScheduled(const codec::Value& pod) {
  const codec::Value* const status = pod.Find("status");
  const codec::Value* const conditions = status == nullptr ? nullptr : status->Find("conditions");
  if (conditions == nullptr) return {};
  for (const codec::Value& condition : conditions->items()) {
    if (TextAt(condition, "type") != "PodScheduled" || TextAt(condition, "status") != "True") {
      continue;
    }
    return TextAt(condition, "lastTransitionTime");
  }
  return {};
}

}  // namespace

Instant ArrivalOf(const api::Object& pod) {
  if (const Result<Instant> scheduled = ParseTime(TimeScheduled(pod.tree()))) return *scheduled;
  return ParseTime(pod.metadata().creation_timestamp).value_or(Instant::min());
}

}  // namespace plimsoll::controller
