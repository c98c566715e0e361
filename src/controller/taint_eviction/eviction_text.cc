#include "controller/taint_eviction/eviction_text.h"

namespace plimsoll::controller {
namespace {

std::string AboutPod(std::string_view sentence, const api::ObjectMeta& pod, std::string_view why,
                     std::string_view time) {
  std::string text;
  text.reserve(sentence.size() + pod.namespace_.size() + pod.name.size() + why.size() +
               time.size() + 3);
  text.append(sentence).append(pod.namespace_).append("/").append(pod.name);
  return text.append(": ").append(why).append(time);
}

}  // namespace

std::string MarkingText(const api::ObjectMeta& pod, std::string_view why, std::string_view time) {
  return AboutPod("Marking for deletion Pod ", pod, why, time);
}

std::string CancellingText(const api::ObjectMeta& pod, std::string_view why) {
  return AboutPod("Cancelling deletion of Pod ", pod, why, {});
}

std::string TimeIsOverText(Duration time, Instant start) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time).count();
  return "; its " + std::to_string(seconds) + "s ran from " + FormatTime(start);
}

}  // namespace plimsoll::controller
