#include "client/event_correlator.h"

#include <algorithm>
#include <chrono>
#include <initializer_list>
#include <utility>

#include "client/limits.h"

namespace plimsoll::client {
namespace {

constexpr Duration kSimilarInterval = std::chrono::minutes(10);
constexpr std::string_view kCombined = "(combined from similar events): ";
constexpr double kBurst = 25;
constexpr Duration kRefill = std::chrono::minutes(5);  // for one token
constexpr Duration kSeriesEnd = std::chrono::minutes(6);
constexpr Duration kSeriesPause = std::chrono::minutes(1);

/// Joins parts with their lengths, so that different lists give different texts.
std::string Join(std::initializer_list<std::string_view> parts) {
  constexpr std::size_t kBetween = 4;  // length in digits and colon, for most parts
  std::size_t size = 0;
  for (const std::string_view part : parts) size += part.size() + kBetween;
  std::string out;
  out.reserve(size);
  for (const std::string_view part : parts) {
    out += std::to_string(part.size());
    out += ':';
    out += part;
  }
  return out;
}

}  // namespace

/// Returns the key to count the event by. Changes the message if there are too many similar ones.
std::string EventCorrelator::Aggregate(Event& event, Instant now) {
  const ObjectReference& it = event.regarding;
  std::string group =
      Join({event.source.component, event.source.host, it.kind, it.namespace_, it.name, it.uid,
            it.api_version, api::ToText(event.type), event.reason});
  Similar& similar = similar_[group];
  if (now - similar.last > kSimilarInterval) similar.messages.clear();
  similar.last = now;
  similar.messages.insert(event.message);
  if (similar.messages.size() < kSimilarEventsMax) {
    return group + Join({it.field_path, event.message});
  }
  // Remove any message, so that the set does not grow.
  similar.messages.erase(similar.messages.begin());
  event.message.insert(0, kCombined);
  return group;
}

bool EventCorrelator::AcquireToken(const Event& event, Instant now) {
  const ObjectReference& it = event.regarding;
  Budget& budget = budgets_[Join({event.source.component, event.source.host, it.kind, it.namespace_,
                                  it.name, it.uid, it.api_version})];
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

std::optional<EventOutcome> EventCorrelator::Correlate(Event event, Instant now) {
  Known& known = known_[Aggregate(event, now)];
  EventOutcome outcome{.event = std::move(event), .is_new = known.count == 0};
  if (outcome.is_new) {
    known.name = outcome.event.name;
    known.first = outcome.event.first;
  } else {
    outcome.event.name = known.name;
    outcome.event.first = known.first;
  }
  outcome.event.count = ++known.count;
  if (!AcquireToken(outcome.event, now)) return std::nullopt;
  return outcome;
}

std::optional<EventOutcome> SeriesCorrelator::Correlate(Event event, Instant now) {
  const ObjectReference& it = event.regarding;
  Known& known = known_[Join({event.source.component, event.source.host, it.kind, it.namespace_,
                              it.name, it.uid, it.api_version, api::ToText(event.type),
                              event.reason, event.action, event.message})];
  if (known.count > 0 && now - known.last > kSeriesEnd) known = {};
  known.last = now;
  EventOutcome outcome{.event = std::move(event), .is_new = known.count == 0};
  if (outcome.is_new) {
    known.name = outcome.event.name;
    known.first = outcome.event.first;
  } else {
    outcome.event.name = known.name;
    outcome.event.first = known.first;
  }
  outcome.event.count = ++known.count;
  const bool is_told = known.count <= 2 || now - known.told >= kSeriesPause;
  if (!is_told) return std::nullopt;
  known.told = now;
  return outcome;
}

}  // namespace plimsoll::client
