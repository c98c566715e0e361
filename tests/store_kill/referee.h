#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "store/store.h"
#include "store_kill/wire.h"

namespace plimsoll::store_kill {

/// Records requested and acknowledged writes of all rounds, and checks the store.
class Referee {
 public:
  /// Records a report of the victim.
  void Hear(const Report& report);
  /// Compares the reopened store with the reports after a kill. A write with unknown outcome may be
  /// present; it counts as acknowledged from then on.
  void Judge(store::Store& store, Random& random);

  const std::vector<std::string>& faults() const { return faults_; }
  std::int64_t acknowledged() const { return acknowledged_; }
  std::int64_t changes() const { return latest_; }

 private:
  struct State {
    std::int64_t sequence = 0;  // 0: does not exist
    std::int64_t revision = 0;  // of the last acknowledged change
  };
  struct Counter {
    std::int64_t value = 0;  // value at the last check
    std::int64_t acked = 0;  // acknowledged increments since then
    std::int64_t in_flight = 0;
    std::set<std::int64_t> seen;  // values acknowledged since then
  };

  void HearRevision(std::int64_t revision);
  void JudgeKeys(store::Store& store);
  void JudgeCounters(store::Store& store);
  void JudgeHistory(store::Store& store, Random& random);
  void JudgeReplay(const std::vector<store::Change>& changes, std::int64_t after,
                   std::map<std::string, std::string> picture,
                   const std::map<std::string, std::string>& want);
  void Fault(std::string text) { faults_.push_back(std::move(text)); }

  std::map<std::uint32_t, State> states_;
  std::map<std::uint32_t, std::int64_t> asked_;  // key -> sequence with unknown outcome
  std::map<std::uint32_t, Counter> counters_;
  std::set<std::int64_t> revisions_;  // acknowledged in this round
  std::int64_t latest_ = 0;           // at the last check
  std::int64_t acknowledged_ = 0;
  std::vector<std::string> faults_;
};

}  // namespace plimsoll::store_kill
