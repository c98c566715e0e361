#include "controller/eviction_policy/policy_ledger.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <numeric>
#include <utility>

#include "base/time_arithmetic.h"

namespace plimsoll::controller {
namespace {

using std::chrono::seconds;

// A window that is not aligned touches two intervals more than its length has.
constexpr std::int64_t kIntervalsPerWindow = 30;

Instant StartOf(Instant at, Duration window) {
  const std::int64_t width = BreakerWindow::WidthOf(window).count();
  const std::int64_t count = at.time_since_epoch().count();
  return Instant(Duration(count / width * width));
}

Instant EndOf(Instant start, Duration window) {
  return SaturatingAdd(SaturatingAdd(start, BreakerWindow::WidthOf(window)), window);
}

}  // namespace

Duration BreakerWindow::WidthOf(Duration window) {
  const std::int64_t whole = std::chrono::ceil<seconds>(window).count();
  return seconds((whole + kIntervalsPerWindow - 1) / kIntervalsPerWindow);
}

void BreakerWindow::Expire(Instant now, Duration window) {
  std::erase_if(buckets_, [&](const Bucket& one) { return EndOf(one.start, window) <= now; });
}

void BreakerWindow::Add(Instant at, Duration window, std::int64_t pods) {
  const Instant start = StartOf(at, window);
  const auto place = std::ranges::lower_bound(buckets_, start, {}, &Bucket::start);
  if (place != buckets_.end() && place->start == start) {
    place->pods += pods;
  } else {
    buckets_.insert(place, {start, pods});
    JoinOldest();
  }
}

void BreakerWindow::JoinOldest() {
  while (buckets_.size() > kIntervalsMax) {
    buckets_[1].pods += buckets_[0].pods;
    buckets_.erase(buckets_.begin());
  }
}

void BreakerWindow::Refund(Instant at, Duration window) {
  const auto place = std::ranges::lower_bound(buckets_, StartOf(at, window), {}, &Bucket::start);
  if (place == buckets_.end() || place->start != StartOf(at, window)) return;
  if (--place->pods <= 0) buckets_.erase(place);
}

void BreakerWindow::Merge(Instant start, std::int64_t pods) {
  const auto place = std::ranges::lower_bound(buckets_, start, {}, &Bucket::start);
  if (place != buckets_.end() && place->start == start) {
    place->pods = std::max(place->pods, pods);
  } else if (pods > 0) {
    buckets_.insert(place, {start, pods});
    JoinOldest();
  }
}

std::int64_t BreakerWindow::total() const {
  return std::accumulate(buckets_.begin(), buckets_.end(), std::int64_t{0},
                         [](std::int64_t sum, const Bucket& one) { return sum + one.pods; });
}

void PolicyLedger::Merge(const api::EvictionPolicyStatus& status, const PolicyTerms& terms,
                         Instant now) {
  if (const auto time = ParseTime(status.rate_full_at)) {
    rate_full_at_ = std::max(rate_full_at_, *time);
  }
  for (const api::EvictionBreakerState& stored : status.breakers) {
    if (!scopes_.contains(stored.scope) && scopes_.size() >= kScopesMax) break;
    Scope& scope = scopes_[std::string(stored.scope)];
    for (const api::EvictionCount& count : stored.counts) {
      if (const auto start = ParseTime(count.start)) scope.window.Merge(*start, count.pods);
    }
    if (scope.selected_at == Instant::min()) {
      scope.selected = stored.selected;
      scope.selected_at = now;
    }
    if (const auto time = ParseTime(stored.tripped_at); time && !scope.tripped_at) {
      scope.tripped_at = *time;
    }
  }
  Resume(terms);
  Expire(terms, now);
  // A reserved pod is counted in one of the intervals; after the end of the first one, maybe not.
  Instant counted_until = Instant::max();
  if (terms.breaker) {
    for (const auto& [name, scope] : scopes_) {
      if (scope.window.empty()) continue;
      counted_until = std::min(counted_until,
                               EndOf(scope.window.buckets().front().start, terms.breaker->window));
    }
  }
  if (counted_until == Instant::max()) counted_until = Instant::min();
  if (terms.rate && !status.reserved.empty()) Drain(*terms.rate, now);
  for (const std::string_view uid : status.reserved) {
    if (reserved_.size() >= kReservedMax) break;
    if (Find(uid) != nullptr) continue;
    Reservation& one = Reserve(uid);
    one.change = 0;  // it is stored already
    one.counted_until = counted_until;
    one.idle_since = now;
  }
}

Instant PolicyLedger::NextFree(const PolicyTerms::Rate& rate) const {
  if (rate_full_at_ == Instant::min()) return Instant::min();
  const std::int64_t most = Duration::max().count() / rate.interval.count();
  const std::int64_t spare = std::min(rate.burst - 1, most);
  return SaturatingAdd(rate_full_at_, -rate.interval * spare);
}

void PolicyLedger::TakeToken(const PolicyTerms::Rate& rate, Instant at) {
  rate_full_at_ = SaturatingAdd(std::max(rate_full_at_, at), rate.interval);
}

void PolicyLedger::Drain(const PolicyTerms::Rate& rate, Instant now) {
  const std::int64_t most = Duration::max().count() / rate.interval.count();
  const Instant full_at = SaturatingAdd(now, rate.interval * std::min(rate.burst, most));
  rate_full_at_ = std::max(rate_full_at_, full_at);
}

void PolicyLedger::ChargeToken(const PolicyTerms::Rate& rate, Instant now) {
  const std::int64_t most = Duration::max().count() / rate.interval.count();
  const Instant empty_at = SaturatingAdd(now, rate.interval * std::min(rate.burst, most));
  const Instant charged = SaturatingAdd(std::max(rate_full_at_, now), rate.interval);
  rate_full_at_ = std::max(rate_full_at_, std::min(charged, empty_at));
}

PolicyLedger::Scope* PolicyLedger::FindScope(std::string_view name,
                                             const PolicyTerms::Breaker& breaker, Instant now) {
  auto place = scopes_.find(name);
  if (place == scopes_.end()) {
    if (scopes_.size() >= kScopesMax) return nullptr;
    place = scopes_.emplace(std::string(name), Scope{}).first;
  }
  place->second.window.Expire(now, breaker.window);
  return &place->second;
}

bool PolicyLedger::IsTripped(std::string_view name) const {
  const auto place = scopes_.find(name);
  return place != scopes_.end() && place->second.tripped_at.has_value();
}

void PolicyLedger::Trip(Scope& scope, const PolicyTerms& terms, Instant now) {
  // Stored in whole seconds, and never at a time that was resumed already.
  const Instant whole = std::chrono::floor<seconds>(now);
  scope.tripped_at = terms.resumed_at == Instant::min()
                         ? whole
                         : std::max(whole, SaturatingAdd(terms.resumed_at, seconds(1)));
  ++change_;
}

void PolicyLedger::Resume(const PolicyTerms& terms) {
  for (auto& [name, scope] : scopes_) {
    if (!scope.tripped_at || *scope.tripped_at > terms.resumed_at) continue;
    scope = {};
    ++change_;
  }
}

bool PolicyLedger::is_any_tripped() const {
  return std::ranges::any_of(scopes_,
                             [](const auto& one) { return one.second.tripped_at.has_value(); });
}

void PolicyLedger::Expire(const PolicyTerms& terms, Instant now) {
  for (auto place = scopes_.begin(); place != scopes_.end();) {
    Scope& scope = place->second;
    if (terms.breaker) scope.window.Expire(now, terms.breaker->window);
    const bool is_over = !terms.breaker || (!scope.tripped_at && scope.window.empty());
    place = is_over ? scopes_.erase(place) : std::next(place);
  }
}

const PolicyLedger::Reservation* PolicyLedger::Find(std::string_view uid) const {
  const auto place = reserved_.find(uid);
  return place == reserved_.end() ? nullptr : &place->second;
}

PolicyLedger::Reservation* PolicyLedger::Find(std::string_view uid) {
  const auto place = reserved_.find(uid);
  return place == reserved_.end() ? nullptr : &place->second;
}

PolicyLedger::Reservation& PolicyLedger::Reserve(std::string_view uid) {
  Reservation& one = reserved_[std::string(uid)];
  one.serial = ++last_serial_;
  one.change = ++change_;
  return one;
}

void PolicyLedger::Erase(std::string_view uid, const PolicyTerms& terms, bool is_refunded) {
  const auto place = reserved_.find(uid);
  if (place == reserved_.end()) return;
  const Reservation& one = place->second;
  if (is_refunded && terms.breaker && one.counted_at != Instant::min()) {
    const auto scope = scopes_.find(one.scope);
    if (scope != scopes_.end()) scope->second.window.Refund(one.counted_at, terms.breaker->window);
  }
  reserved_.erase(place);
}

}  // namespace plimsoll::controller
