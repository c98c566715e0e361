#include "etcd_faults/ledger.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "store_kill/wire.h"

namespace plimsoll::etcd_faults {
namespace {

using store::Change;
using store::kNoRevision;
using store::Number;
using store::Revision;

// The store's own key for its position.
constexpr std::string_view kPositionKey = "/plimsoll.io/position";

bool IsCounter(std::string_view key) { return key.starts_with("/counter/"); }

std::string Text(const Attempt& attempt) {
  return fmt::format("{} to {} from revision {}", attempt.key, attempt.sequence,
                     Number(attempt.expected));
}

}  // namespace

void Ledger::Ask(const Attempt& attempt) {
  const std::lock_guard lock(mutex_);
  ++told_[attempt].asked;
}

void Ledger::Answer(const Attempt& attempt, const Result<Revision>& result) {
  const std::lock_guard lock(mutex_);
  Told& told = told_[attempt];
  if (result.has_value()) {
    --told.asked;
    ++acknowledged_;
    told.acknowledged.insert(*result);
    Revision& floor = floors_[attempt.key];
    if (floor >= *result && !IsCounter(attempt.key)) Fault(attempt.key + " went back");
    floor = std::max(floor, *result);
    return;
  }
  switch (result.error().reason) {
    case Reason::Timeout:
      ++unknown_;
      ++conflicts_left_[attempt.key];
      return;
    case Reason::Conflict:
      if (!IsCounter(attempt.key) && --conflicts_left_[attempt.key] < 0) {
        Fault("a key that one alone writes was in conflict: " + Text(attempt));
      }
      break;
    case Reason::ServiceUnavailable:
      ++unavailable_;
      break;
    default:
      Fault(fmt::format("{}: {}", Text(attempt), result.error().Text()));
  }
  if (--told.asked == 0 && told.acknowledged.empty()) told_.erase(attempt);
}

Revision Ledger::FloorOf(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  const auto floor = floors_.find(key);
  return floor == floors_.end() ? kNoRevision : floor->second;
}

void Ledger::Violated(std::string what) {
  const std::lock_guard lock(mutex_);
  Fault(std::move(what));
}

void Ledger::Judge(std::span<const Change> changes) {
  const std::lock_guard lock(mutex_);
  std::set<Attempt> seen;
  for (const Change& change : changes) JudgeChange(change, seen);
  for (auto at = told_.begin(); at != told_.end();) {
    const auto& [attempt, told] = *at;
    if (!told.acknowledged.empty() && !seen.contains(attempt)) {
      Fault("acknowledged and lost: " + Text(attempt));
    }
    const bool is_settled = told.asked == 0 || seen.contains(attempt);
    at = is_settled ? told_.erase(at) : std::next(at);
  }
}

void Ledger::JudgeChange(const Change& change, std::set<Attempt>& seen) {
  const std::string where = fmt::format("revision {} of {}", Number(change.revision), change.key);
  if (judged_ != kNoRevision && Number(change.revision) != Number(judged_) + 1) {
    Fault(fmt::format("{} came behind {}", where, Number(judged_)));
  }
  judged_ = change.revision;
  const auto before = state_.find(change.key);
  const Revision was = before == state_.end() ? kNoRevision : before->second;
  if (change.before_revision != was) {
    Fault(fmt::format("{} was at {}, not {}", where, Number(was), Number(change.before_revision)));
  }
  if (change.value == nullptr) {
    state_.erase(change.key);
  } else {
    state_[change.key] = change.revision;
  }
  if (change.key == kPositionKey) return;

  const std::int64_t sequence =
      change.value == nullptr ? 0 : store_kill::ReadValue(change.key, *change.value);
  const Attempt attempt{change.key, sequence, was};
  const auto told = told_.find(attempt);
  if (told == told_.end()) return Fault(where + " is what nobody asked for: " + Text(attempt));
  if (!seen.insert(attempt).second) Fault(where + " was done twice: " + Text(attempt));
  for (const Revision revision : told->second.acknowledged) {
    if (revision == change.revision) continue;
    Fault(fmt::format("{} was acknowledged at {}", where, Number(revision)));
  }
  if (!IsCounter(change.key)) return;
  std::int64_t& count = counts_[change.key];
  if (sequence != count + 1) Fault(fmt::format("{}: {} after {}", where, sequence, count));
  count = sequence;
}

std::vector<std::string> Ledger::faults() const {
  const std::lock_guard lock(mutex_);
  return faults_;
}
std::int64_t Ledger::acknowledged() const {
  const std::lock_guard lock(mutex_);
  return acknowledged_;
}
std::int64_t Ledger::unavailable() const {
  const std::lock_guard lock(mutex_);
  return unavailable_;
}
std::int64_t Ledger::unknown() const {
  const std::lock_guard lock(mutex_);
  return unknown_;
}

}  // namespace plimsoll::etcd_faults
