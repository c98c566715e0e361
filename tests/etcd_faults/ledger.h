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

/// A compare-and-swap of a key from revision `expected` to value `sequence`; 0: a deletion.
struct Attempt {
  std::string key;
  std::int64_t sequence = 0;
  store::Revision expected{};

  friend auto operator<=>(const Attempt&, const Attempt&) = default;
};

/// Records all writes and their outcomes, and checks the observed changes against them. The changes
/// must come from one store that lost nothing, applied nothing twice, and violated no
/// compare-and-swap. Thread-safe.
class Ledger {
 public:
  /// Records a write. Call it before the write is sent.
  void Ask(const Attempt& attempt);
  /// Records the outcome of a write.
  void Answer(const Attempt& attempt, const Result<store::Revision>& result);

  /// Returns the lowest revision of the key that a read starting now may return.
  store::Revision FloorOf(const std::string& key) const;
  void Violated(std::string what);

  /// Checks the changes since the last call, in the order of a watch of everything. A write with
  /// unknown outcome may still appear in a later round.
  void Judge(std::span<const store::Change> changes);

  /// Returns the keys and revisions after the checked changes.
  const std::map<std::string, store::Revision>& state() const { return state_; }
  store::Revision judged() const { return judged_; }
  std::vector<std::string> faults() const;
  std::int64_t acknowledged() const;
  std::int64_t unavailable() const;
  std::int64_t unknown() const;

 private:
  struct Told {
    std::int64_t asked = 0;  // number of attempts with unknown outcome
    std::set<store::Revision> acknowledged;
  };

  void JudgeChange(const store::Change& change, std::set<Attempt>& seen);
  void Fault(std::string text) { faults_.push_back(std::move(text)); }

  mutable std::mutex mutex_;
  std::map<Attempt, Told> told_;
  std::map<std::string, store::Revision> floors_;
  std::map<std::string, std::int64_t> conflicts_left_;  // of keys with a single writer
  std::int64_t acknowledged_ = 0;
  std::int64_t unavailable_ = 0;
  std::int64_t unknown_ = 0;
  std::vector<std::string> faults_;

  // Used only by Judge.
  std::map<std::string, store::Revision> state_;
  std::map<std::string, std::int64_t> counts_;
  store::Revision judged_{};
};

}  // namespace plimsoll::etcd_faults
