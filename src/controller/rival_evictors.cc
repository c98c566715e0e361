#include "controller/rival_evictors.h"

#include <algorithm>
#include <array>

#include "api/core/pod_phase.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

constexpr std::array kTraces = {
    EvictionTraces{"taint-eviction-controller", "TaintManagerEviction"},
    EvictionTraces{"device-taint-eviction-controller", "DeviceTaintManagerEviction"},
};

/// Returns the latest of an Event's times. Which of them are set depends on the writer.
std::optional<Instant> LastTime(const codec::Value& event) {
  std::optional<Instant> last;
  const std::array times = {TimeAt(event, {"series", "lastObservedTime"}),
                            TimeAt(event, {"lastTimestamp"}), TimeAt(event, {"eventTime"}),
                            TimeAt(event, {"metadata", "creationTimestamp"})};
  for (const std::optional<Instant>& time : times) {
    if (time && (!last || *last < *time)) last = time;
  }
  return last;
}

bool IsOurs(const codec::Value& event) {
  return TextAt(event, {"source", "host"}).starts_with(kOwnHostPrefix) ||
         TextAt(event, {"reportingInstance"}).starts_with(kOwnHostPrefix);
}

/// Parses `--controllers` like kube-controller-manager: the name or `-name` wins over `*`. The
/// default of the flag is `*`.
bool IsOn(std::string_view controller, std::string_view list) {
  bool has_star = false;
  while (!list.empty()) {
    const std::string_view one = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), one.size() + 1));
    if (one == controller) return true;
    if (one.starts_with('-') && one.substr(1) == controller) return false;
    has_star |= one == "*";
  }
  return has_star;
}

struct ManagerWords {
  bool is_manager = false;
  std::string_view controllers = "*";
};

void Read(const codec::Value* words, ManagerWords& out) {
  if (words == nullptr) return;
  constexpr std::string_view kFlag = "--controllers=";
  const auto items = words->items();
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!items[i].is_string()) continue;
    const std::string_view word = items[i].text();
    if (word.ends_with("kube-controller-manager")) out.is_manager = true;
    if (word.starts_with(kFlag)) out.controllers = word.substr(kFlag.size());
    const bool has_next = i + 1 < items.size() && items[i + 1].is_string();
    if (word == "--controllers" && has_next) out.controllers = items[i + 1].text();
  }
}

}  // namespace

std::vector<EvictionTraces> TracesOf(std::span<const std::string> controllers) {
  std::vector<EvictionTraces> out;
  for (const EvictionTraces& one : kTraces) {
    if (std::ranges::find(controllers, one.controller) != controllers.end()) out.push_back(one);
  }
  return out;
}

std::optional<std::string> FindRivalEvent(std::span<const ObjectPtr> events, Instant since) {
  const codec::Value* latest = nullptr;
  Instant when{};
  for (const ObjectPtr& event : events) {
    const std::optional<Instant> time = LastTime(event->tree());
    if (IsOurs(event->tree()) || !time || *time < since) continue;
    if (latest != nullptr && *time <= when) continue;
    latest = &event->tree();
    when = *time;
  }
  if (latest == nullptr) return std::nullopt;
  std::string_view who = TextAt(*latest, {"source", "component"});
  if (who.empty()) who = TextAt(*latest, {"reportingComponent"});
  std::string text(who);
  return text.append(" wrote \"")
      .append(TextAt(*latest, {"message"}))
      .append("\" at ")
      .append(FormatTime(when));
}

std::optional<std::string> FindRivalManager(std::span<const ObjectPtr> pods,
                                            std::span<const EvictionTraces> traces) {
  for (const ObjectPtr& pod : pods) {
    if (IsPodTerminal(*pod->As<api::Pod>())) continue;
    const codec::Value* const containers = FindAt(pod->tree(), {"spec", "containers"});
    if (containers == nullptr) continue;
    for (const codec::Value& container : containers->items()) {
      ManagerWords words;
      Read(container.Find("command"), words);
      Read(container.Find("args"), words);
      if (!words.is_manager) continue;
      for (const EvictionTraces& trace : traces) {
        if (!IsOn(trace.controller, words.controllers)) continue;
        std::string text = "Pod ";
        return text.append(pod->metadata().namespace_)
            .append("/")
            .append(pod->metadata().name)
            .append(" runs ")
            .append(trace.controller);
      }
    }
  }
  return std::nullopt;
}

}  // namespace plimsoll::controller
