#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "store/store.h"

namespace plimsoll::etcd_faults {

/// What somebody wants to write: the key shall go from that revision to that number; 0: be deleted.
struct Attempt {
  std::string key;
  std::int64_t sequence = 0;
  store::Revision expected{};

  friend auto operator<=>(const Attempt&, const Attempt&) = default;
};

/// What everybody asked for and was told, and whether that and what the watches saw is the work of
/// one store that lost nothing, did nothing twice and let nobody overtake a compare-and-swap. Safe
/// for use by many threads.
class Ledger {
 public:
  /// To be called before the write is sent.
  void Ask(const Attempt& attempt);
  /// What the store said to it.
  void Answer(const Attempt& attempt, const Result<store::Revision>& result);

  /// The least revision at which a read that begins now may find the key.
  store::Revision FloorOf(const std::string& key) const;
  void Violated(std::string what);

  /// Judges the changes behind the last that were judged, as a watch of everything told them. What
  /// nobody knows the fate of may come true in a later round.
  void Judge(std::span<const store::Change> changes);

  /// What is there after the changes that were judged.
  const std::map<std::string, store::Revision>& state() const { return state_; }
  store::Revision judged() const { return judged_; }
  std::vector<std::string> faults() const;
  std::int64_t acknowledged() const;
  std::int64_t unavailable() const;
  std::int64_t unknown() const;

 private:
  struct Told {
    std::int64_t asked = 0;  // of these, told neither yes nor no
    std::set<store::Revision> acknowledged;
  };

  void JudgeChange(const store::Change& change, std::set<Attempt>& seen);
  void Fault(std::string text) { faults_.push_back(std::move(text)); }

  mutable std::mutex mutex_;
  std::map<Attempt, Told> told_;
  std::map<std::string, store::Revision> floors_;
  std::map<std::string, std::int64_t> conflicts_left_;  // of keys that one alone writes
  std::int64_t acknowledged_ = 0;
  std::int64_t unavailable_ = 0;
  std::int64_t unknown_ = 0;
  std::vector<std::string> faults_;

  // Of the judge alone.
  std::map<std::string, store::Revision> state_;
  std::map<std::string, std::int64_t> counts_;
  store::Revision judged_{};
};

}  // namespace plimsoll::etcd_faults
