#include "cli/preview/eviction_forecast.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "cli/explain/cluster_reader.h"
#include "controller/taint_eviction/eviction_text.h"

namespace plimsoll::cli {

EvictionForecast::EvictionForecast(const api::FeatureGates& gates, const match::Rules& rules,
                                   Instant now)
    : core_(gates, rules, metrics_), begin_(now), now_(now - Duration(1)) {}

void EvictionForecast::Observe(const ObjectPtr& before, const ObjectPtr& after) {
  core_.Observe(api::ObjectChanged{before, after}, {now_, actions_});
  Settle();
}

void EvictionForecast::Sync() {
  core_.Observe(api::Synced{}, {now_, actions_});
  Settle();
  now_ = begin_;
}

std::vector<Departure> EvictionForecast::Run() {
  Settle();
  while (const auto next = core_.NextWake()) {
    now_ = std::max(now_, *next);
    core_.Wake({now_, actions_});
    Settle();
  }
  return departures_;
}

void EvictionForecast::Settle() {
  while (!actions_.empty()) {
    for (const api::Action& action : std::exchange(actions_, {})) Perform(action);
  }
}

void EvictionForecast::Perform(const api::Action& action) {
  if (const auto* const event = std::get_if<api::RecordEvent>(&action)) {
    const ObjectPtr& pod = event->regarding.object();
    if (pod == nullptr) return;
    const std::string lead = controller::MarkingText(pod->metadata(), "", "");
    const std::string_view told = event->message;
    if (told.starts_with(lead)) reasons_[PodKey(*pod)] = told.substr(lead.size());
  } else if (const auto* const get = std::get_if<api::GetObject>(&action)) {
    core_.Observe(api::ActionFinished{get->id, {}}, {now_, actions_});
  } else if (const auto* const evict = std::get_if<api::EvictPod>(&action)) {
    const ObjectPtr pod = evict->pod.object();
    departures_.push_back({pod, std::max(now_, begin_), reasons_[PodKey(*pod)]});
    core_.Observe(api::ActionFinished{evict->id, {}}, {now_, actions_});
    core_.Observe(api::ObjectChanged{pod, nullptr}, {now_, actions_});
  }
}

std::string PodKey(const api::Object& pod) {
  const std::string_view uid = pod.metadata().uid;
  return uid.empty() ? FullName(pod) : std::string(uid);
}

}  // namespace plimsoll::cli
