#include "agent/lease_wheel.h"

#include <algorithm>

namespace plimsoll::agent {

void LeaseWheel::Add(std::uint32_t member, Instant now) {
  if (count_ == 0) {
    at_ = (SpokeOf(member) + 1) % kSpokes;
    when_ = now + step_;
  }
  spokes_[SpokeOf(member)].push_back(member);
  ++count_;
}

void LeaseWheel::Remove(std::uint32_t member) {
  std::vector<std::uint32_t>& spoke = spokes_[SpokeOf(member)];
  const auto found = std::ranges::find(spoke, member);
  if (found == spoke.end()) return;
  spoke.erase(found);
  --count_;
}

void LeaseWheel::TakeDue(Instant now, std::vector<std::uint32_t>& out) {
  // After a long pause one turn is enough: missed heartbeats are not repeated.
  const Instant turn_ago = now - step_ * static_cast<std::int64_t>(kSpokes - 1);
  when_ = std::max(when_, turn_ago);
  while (count_ > 0 && when_ <= now) {
    out.insert(out.end(), spokes_[at_].begin(), spokes_[at_].end());
    at_ = (at_ + 1) % kSpokes;
    when_ += step_;
  }
}

std::optional<Instant> LeaseWheel::NextWake() const {
  if (count_ == 0) return std::nullopt;
  Instant when = when_;
  for (std::size_t at = at_; spokes_[at].empty(); at = (at + 1) % kSpokes) when += step_;
  return when;
}

}  // namespace plimsoll::agent
