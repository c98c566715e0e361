#include "scheduler/framework/waiting_pods.h"

#include <algorithm>
#include <utility>

#include "scheduler/limits.h"

namespace plimsoll::scheduler {

std::vector<PodId> WaitingPods::pods() const {
  std::vector<PodId> pods;
  for (const auto& [pod, entry] : entries_) pods.push_back(pod);
  return pods;
}

void WaitingPods::Allow(PodId pod, std::string_view plugin) {
  const auto found = entries_.find(pod);
  if (found == entries_.end()) return;
  Entry& entry = found->second;
  const auto held =
      std::erase_if(entry.holds, [&](const Hold& one) { return one.plugin == plugin; });
  if (held != 0 && entry.holds.empty()) Decide(pod, entry, {});
}

void WaitingPods::Reject(PodId pod, std::string_view plugin, std::string message) {
  const auto found = entries_.find(pod);
  if (found == entries_.end()) return;
  Verdict verdict = Verdict::Of(Code::Unschedulable, std::move(message));
  verdict.plugin = plugin;
  Decide(pod, found->second, std::move(verdict));
}

void WaitingPods::Add(PodId pod, const std::vector<Hold>& holds, Instant now) {
  Entry entry{.holds = holds, .since = now, .verdict = std::nullopt};
  for (Hold& hold : entry.holds) hold.timeout = std::min(hold.timeout, kPermitTimeoutMax);
  entries_.insert_or_assign(pod, std::move(entry));
}

const WaitingPods::Hold* WaitingPods::FirstToEnd(const Entry& entry) {
  const auto first = std::ranges::min_element(entry.holds, {}, &Hold::timeout);
  return first == entry.holds.end() ? nullptr : &*first;
}

std::optional<Instant> WaitingPods::Deadline(PodId pod) const {
  const auto found = entries_.find(pod);
  const Hold* const first = found == entries_.end() ? nullptr : FirstToEnd(found->second);
  return first == nullptr ? std::nullopt : std::optional(found->second.since + first->timeout);
}

void WaitingPods::Expire(PodId pod, Instant now) {
  const std::optional<Instant> deadline = Deadline(pod);
  if (!deadline || *deadline > now) return;
  const Hold hold = *FirstToEnd(entries_.at(pod));
  Reject(pod, hold.plugin,
         "rejected due to timeout after waiting " + FormatDuration(hold.timeout) + " at plugin " +
             std::string(hold.plugin));
}

std::optional<WaitingPods::Decision> WaitingPods::PopDecision(Instant now) {
  while (!decided_.empty()) {
    const PodId pod = decided_.front();
    decided_.pop_front();
    const auto found = entries_.find(pod);
    if (found == entries_.end() || !found->second.verdict) continue;
    Decision decision{pod, *std::move(found->second.verdict), now - found->second.since};
    entries_.erase(found);
    return decision;
  }
  return std::nullopt;
}

void WaitingPods::Decide(PodId pod, Entry& entry, Verdict verdict) {
  if (entry.verdict) return;
  entry.verdict = std::move(verdict);
  decided_.push_back(pod);
}

}  // namespace plimsoll::scheduler
